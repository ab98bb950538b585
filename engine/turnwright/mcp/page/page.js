"use strict";
// What stands in the page is data: it is written as text, or drawn as a picture, in which nothing runs.
(() => {
  const PROTOCOL = "2026-01-26";
  const main = document.querySelector("main");
  const waiting = new Map();
  let nextId = 0;
  let canRead = false;
  let isGreeted = false;

  // what is shown

  const element = (name, text, className) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = String(text);
    if (className) made.className = className;
    return made;
  };

  const asPicture = (picture) => {
    const made = document.createElement("img");
    made.alt = picture.text;
    made.addEventListener("load", tellSize);
    made.src = "data:image/svg+xml;base64," + picture.svg;
    return made;
  };

  const hitPoints = (person) => {
    const cell = element("td", undefined, "number");
    if (typeof person.hp !== "number") {
      cell.textContent = person.health ?? "";
    } else if (typeof person.max_hp === "number") {
      const meter = document.createElement("meter");
      Object.assign(meter, { min: 0, max: person.max_hp, low: person.max_hp / 3, value: person.hp });
      cell.append(`${person.hp} / ${person.max_hp}`, meter);
    } else {
      cell.textContent = String(person.hp);
    }
    return cell;
  };

  const asTable = (people) => {
    const table = document.createElement("table");
    table.append(element("caption", "Party"));
    const head = table.createTHead().insertRow();
    head.append(...["Name", "Hit points", "State", "Place"].map((title) => element("th", title)));
    const body = table.createTBody();
    for (const person of people) {
      const row = body.insertRow();
      row.append(element("td", person.name ?? person.id), hitPoints(person));
      row.append(element("td", person.state ?? ""), element("td", person.area ?? person.position ?? ""));
    }
    return table;
  };

  const show = (data) => {
    const shown = [element("h1", data.title), ...data.pictures.map(asPicture)];
    if (data.people.length) shown.push(asTable(data.people));
    if (shown.length === 1) shown.push(element("p", data.empty, "empty"));
    main.replaceChildren(...shown);
    tellSize();
  };

  const dataIn = (root) => JSON.parse(root.querySelector("#data").textContent);

  // the bridge: JSON-RPC to the host that shows this page, and to no one else

  const send = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const ask = (method, params) =>
    new Promise((done, failed) => {
      waiting.set(++nextId, { done, failed });
      send({ id: nextId, method, params });
    });

  let told = "";
  function tellSize() {
    if (!isGreeted) return;
    const { width, height } = document.documentElement.getBoundingClientRect();
    const size = { width: Math.ceil(width), height: Math.ceil(height) };
    if (told !== (told = JSON.stringify(size))) send({ method: "ui/notifications/size-changed", params: size });
  }

  const refresh = async () => {
    if (!canRead) return;
    try {
      const read = await ask("resources/read", { uri: dataIn(document).address });
      show(dataIn(new DOMParser().parseFromString(read.contents[0].text, "text/html")));
    } catch {
      // The host did not give the page again: what is shown stays, and the text of the result is complete.
    }
  };

  const useContext = (context) => {
    if (context?.theme === "dark" || context?.theme === "light") {
      document.documentElement.dataset.theme = context.theme;
    }
    // The looks of the host: custom properties only, so that it changes colors and fonts and nothing else.
    for (const [name, value] of Object.entries(context?.styles?.variables ?? {})) {
      if (name.startsWith("--") && typeof value === "string") document.documentElement.style.setProperty(name, value);
    }
  };

  const onRequest = (message) => {
    const isKnown = message.method === "ping" || message.method === "ui/resource-teardown";
    const unknown = { code: -32601, message: "Method not found" };
    send(isKnown ? { id: message.id, result: {} } : { id: message.id, error: unknown });
  };

  const onNotification = (message) => {
    if (message.method === "ui/notifications/tool-result") refresh();
    if (message.method === "ui/notifications/host-context-changed") useContext(message.params);
  };

  window.addEventListener("message", (event) => {
    const message = event.data;
    if (event.source !== window.parent || message?.jsonrpc !== "2.0") return;
    if (message.method !== undefined) {
      (message.id === undefined ? onNotification : onRequest)(message);
      return;
    }
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) asked?.failed(new Error(message.error.message));
    else asked?.done(message.result);
  });

  show(dataIn(document));
  if (window.parent === window) return;
  new ResizeObserver(tellSize).observe(document.documentElement);
  const hello = { protocolVersion: PROTOCOL, appInfo: { name: "turnwright", version: "1" }, appCapabilities: {} };
  ask("ui/initialize", hello).then((host) => {
    canRead = Boolean(host.hostCapabilities?.serverResources);
    useContext(host.hostContext);
    send({ method: "ui/notifications/initialized", params: {} });
    isGreeted = true;
    tellSize();
  });
})();
