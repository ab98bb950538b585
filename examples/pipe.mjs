// A session over JSON lines: one `turnwright pipe` process, asked from Node.
//
//     node examples/pipe.mjs CAMPAIGN
//
// Needs `turnwright` on the PATH, and no package. docs/other-languages.md describes the lines.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const pipe = spawn("turnwright", ["pipe", process.argv[2]], { stdio: ["pipe", "pipe", "inherit"] });
const waiting = new Map();

createInterface({ input: pipe.stdout }).on("line", (text) => {
  const line = JSON.parse(text);
  if (line.event === "record") {
    console.log(`record ${line.record.seq}: ${line.record.kind}`);
  } else {
    waiting.get(line.id)?.(line);
    waiting.delete(line.id);
  }
});

let last = 0;
async function ask(op, keys = {}) {
  const id = ++last;
  const answered = new Promise((resolve) => waiting.set(id, resolve));
  pipe.stdin.write(JSON.stringify({ id, op, ...keys }) + "\n");
  const { ok, result, error } = await answered;
  if (!ok) throw new Error(`${error.reason}: ${error.detail}`);
  return result;
}

await ask("follow");
const { tools } = await ask("tools", { form: "openai", profile: "tiny" });
console.log("tools:", tools.map((tool) => tool.function.name).join(", "));

// What a model might have asked for, first with a place that is too far away.
for (const place of ["Ferry Hold", "Heron Ferry"]) {
  const turn = { user_input: `To the ${place}!`, tool_calls: [{ tool: "move", args: { to_area_id: place } }] };
  const reply = await ask("turn", { turn, profile: "tiny" });
  const [failure] = reply.tool_feedback.failed_calls;
  console.log(failure ? `failed: ${failure.detail}` : `applied: ${JSON.stringify(reply.applied_actions[0].result)}`);
}

const { matches } = await ask("recall", { query: "heron" });
console.log(`recalled: ${matches[0].text.split("\n")[0]}`);

pipe.stdin.end();
const [code] = await once(pipe, "close");
console.log(`the pipe ended with code ${code}`);
