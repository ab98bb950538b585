// A host of MCP Apps that knows nothing of the page it shows: the side of clients in the official SDK of the extension.
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";

const heard = [];
const frame = document.querySelector("iframe");
const looks = { theme: "dark", styles: { variables: { "--color-background-primary": "rgb(1, 2, 3)" } } };
const bridge = new AppBridge(null, { name: "test", version: "1" }, { serverResources: {} }, { hostContext: looks });

bridge.onreadresource = async ({ uri }) => {
  heard.push({ read: uri });
  return { contents: [{ uri, mimeType: "text/html;profile=mcp-app", text: window.PAGES.pop() }] };
};
bridge.addEventListener("sizechange", (size) => heard.push({ size }));
bridge.addEventListener("initialized", async () => {
  heard.push({ initialized: bridge.getAppVersion() });
  await bridge.sendToolInput({ arguments: {} });
  await bridge.sendToolResult({ content: [] });
  bridge.setHostContext({ theme: "light" });
  setTimeout(async () => {
    await bridge.teardownResource({});
    const page = frame.contentDocument;
    document.querySelector("#heard").textContent = JSON.stringify({
      heard,
      shown: page.querySelector("main").innerText,
      theme: page.documentElement.dataset.theme,
      background: getComputedStyle(page.body).backgroundColor,
    });
  }, 800);
});
await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow));
frame.srcdoc = window.PAGES.pop();
