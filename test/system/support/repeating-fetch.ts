// Preloaded: repeats failed requests, as a well-meant tool might.
const original = globalThis.fetch;
globalThis.fetch = (url, init) => original(url, init).catch(() => original(url, init));
