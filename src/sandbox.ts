export { type CardOutcome, TEST_CARDS, type TestCard } from "./sandbox/card-outcomes.ts";
export type { Clock } from "./sandbox/clock.ts";
export type { PartialOverrides, SandboxCompany } from "./sandbox/company.ts";
export { createGateway, type Gateway, type GatewayRequestInit } from "./sandbox/gateway.ts";
export { type GatewayOptions, SANDBOX_PUBLIC_KEY, SANDBOX_SECRET_KEY } from "./sandbox/gateway-options.ts";
export type { SandboxSeller } from "./sandbox/sellers.ts";
export type {
  SandboxPix,
  SandboxStatus,
  SandboxTransaction,
  TimelineEntry,
  TransactionData,
} from "./sandbox/transaction.ts";
