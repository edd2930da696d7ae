import Stripe from "stripe";
import type { Connect } from "../support/contender.ts";
import { paymentIntents } from "./stripe-calls.ts";

/** As it comes: over node:https, here node:http, with an agent of its own that keeps connections. */
export const connect: Connect = (baseUrl) => paymentIntents(baseUrl, Stripe.createNodeHttpClient());
