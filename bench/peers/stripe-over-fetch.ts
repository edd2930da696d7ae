import Stripe from "stripe";
import type { Connect } from "../support/contender.ts";
import { paymentIntents } from "./stripe-calls.ts";

export const connect: Connect = (baseUrl) => paymentIntents(baseUrl, Stripe.createFetchHttpClient());
