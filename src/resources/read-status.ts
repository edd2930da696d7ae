import { isRecord, own } from "../data/own.ts";
import { readFields, typeName } from "../data/read-fields.ts";
import type { Deviate, Reading } from "../http/call.ts";
import { attachRawBody } from "../http/result.ts";
import { recordOr } from "./read-record.ts";
import { latencyShape, type ServiceStatus, serviceStatusShape, servicesShape } from "./status-shape.ts";

/** The health report; every part of it may be missing. Spec: "Service status". */
export function readServiceStatus(body: unknown, deviate: Deviate): Reading<ServiceStatus> {
  if (!isRecord(body))
    return { ok: false, issues: [{ field: "", message: `the body came as ${typeName(body)}` }] };
  const services = recordOr(own(body, "services"), "services", deviate);
  const latency = recordOr(own(body, "latency"), "latency", deviate);
  const status = {
    ...readFields(serviceStatusShape, body, "", deviate),
    services: services === undefined ? {} : readFields(servicesShape, services, "services", deviate),
    latency: latency === undefined ? {} : readFields(latencyShape, latency, "latency", deviate),
  };
  return { ok: true, data: attachRawBody(status, body) };
}
