export const SIGNING_KEYS = [{ kid: "storm", secret: "a secret of the storm, 32 bytes or more" }] as const;
