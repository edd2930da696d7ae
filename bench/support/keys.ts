/** Keys that nobody accepts. */
export const PUBLIC_KEY = "pk_bench_1a2b3c4d5e6f";
export const SECRET_KEY = "sk_bench_9f8e7d6c5b4a";

export const AUTHORIZATION = `Basic ${Buffer.from(`${PUBLIC_KEY}:${SECRET_KEY}`).toString("base64")}`;
