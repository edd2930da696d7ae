import type { Order } from "./orders.ts";

/** Sends an order and gives the id that stands in the object that the library made of the answer. */
export type Create = (order: Order) => Promise<string | number | undefined>;

/** What each file in bench/contenders and bench/peers exports as `connect`. */
export type Connect = (baseUrl: string) => Create;
