// Preloaded: sets another agent on every request, as a tool does that sends all requests through a proxy.
import http from "node:http";

const { request } = http;
const agent = new http.Agent();
Object.assign(http, {
  request: (options: http.RequestOptions) => request({ ...options, agent }),
});
