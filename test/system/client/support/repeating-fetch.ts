// Preloaded: sends a request again that failed, as a tool might that means well.
const own = globalThis.fetch;
globalThis.fetch = (url, init) => own(url, init).catch(() => own(url, init));
