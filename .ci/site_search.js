// iframe-worker: a browser gives pages that are opened from a folder no worker. So the search's script runs in a hidden
// frame there, with the few names of a worker that it uses. The theme would ask another host for such a script.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      const page = frame.contentDocument;
      page.open();
      page.write("<title>Search</title>");
      page.close();
      const inside = frame.contentWindow;
      const load = (script) =>
        new Promise((loaded, failed) => {
          page.head.append(
            Object.assign(page.createElement("script"), { src: script, onload: loaded, onerror: failed }),
          );
        });
      inside.importScripts = (...scripts) =>
        scripts.reduce((before, script) => before.then(() => load(script)), Promise.resolve());
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.inside = load(address).then(() => inside);
    }

    postMessage(data) {
      this.inside.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
  };
}
