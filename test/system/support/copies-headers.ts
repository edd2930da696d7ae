// Preloaded: copies the headers of every request and adds one, as tracing does.
import http from "node:http";

const { request } = http;
Object.assign(http, {
  request: (options: http.RequestOptions) =>
    request({ ...options, headers: Object.assign({}, options.headers, { traceparent: "00-1-2-01" }) }),
});
