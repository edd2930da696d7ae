/**
 * An in-memory payment service for development and tests, in Node and in browsers.
 *
 * @module payments-sdk/sandbox
 */

export {
  type CardOutcome,
  type LaterOutcome,
  TEST_CARDS,
  type TestCard,
} from "./sandbox/cards/test-cards.ts";
export type { ChangeListener, GatewayChange } from "./sandbox/changes.ts";
export type { Clock } from "./sandbox/clock.ts";
export { type ArmedFault, FAULT_KINDS, type Fault, type FaultKind } from "./sandbox/faults/fault.ts";
export type { Faults } from "./sandbox/faults/faults.ts";
export { createGateway, type Gateway, type GatewayRequestInit } from "./sandbox/gateway.ts";
export {
  type ComponentHealth,
  type GatewayOptions,
  SANDBOX_PUBLIC_KEY,
  SANDBOX_SECRET_KEY,
} from "./sandbox/gateway-options.ts";
export type {
  DeliveryAttempt,
  PostbackBody,
  PostbackDelivery,
} from "./sandbox/postbacks/postback-delivery.ts";
export type { PostbackOptions } from "./sandbox/postbacks/postback-options.ts";
export type { SandboxRequest } from "./sandbox/requests/request-log.ts";
export type { PartialOverrides, SandboxCompany } from "./sandbox/sandbox-company.ts";
export type { SandboxSeller } from "./sandbox/sandbox-sellers.ts";
export * from "./sandbox/transactions/sandbox-transaction.ts";
