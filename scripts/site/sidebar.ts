// The pages of the site, in the order of its sidebar: file -> label. A file that does not exist is left out.

export interface Group {
  readonly text: string;
  readonly portuguese: string;
  readonly pages: Readonly<Record<string, string>>;
}

export const ENGLISH: readonly Group[] = [
  {
    text: "Start",
    portuguese: "Primeiros passos",
    pages: {
      "README.md": "Introduction",
      "docs/client.md": "The client",
      "docs/going-live.md": "Going live",
    },
  },
  {
    text: "The checkout page",
    portuguese: "A página de pagamento",
    pages: {
      "docs/elements.md": "Elements",
      "docs/react.md": "React",
      "docs/vue.md": "Vue",
      "docs/svelte.md": "Svelte",
      "docs/tokenization.md": "Tokenization",
      "docs/installments.md": "Installments",
      "docs/pci.md": "PCI DSS",
    },
  },
  {
    text: "Never charge twice",
    portuguese: "Nunca cobrar duas vezes",
    pages: {
      "docs/idempotency.md": "Idempotency",
      "docs/stores.md": "Stores",
      "docs/postbacks.md": "Postbacks",
      "docs/check-again-later.md": "Check again later",
    },
  },
  {
    text: "When something goes wrong",
    portuguese: "Quando algo dá errado",
    pages: {
      "docs/on-call.md": "On call",
      "docs/errors.md": "Errors",
      "docs/timeouts.md": "Timeouts",
      "docs/refused-cards.md": "Refused cards",
    },
  },
  {
    text: "Testing",
    portuguese: "Testes",
    pages: {
      "docs/testing.md": "Testing your integration",
      "docs/sandbox.md": "The sandbox",
      "docs/curl.md": "The sandbox with curl",
      "docs/command-line.md": "The payments command",
    },
  },
  {
    text: "Frameworks and recipes",
    portuguese: "Frameworks e exemplos",
    pages: {
      "examples/postbacks/README.md": "Express, Fastify, Hono, Next.js",
      "docs/nestjs.md": "NestJS",
      "docs/jest-and-commonjs.md": "Jest and CommonJS",
      "docs/orms.md": "ORMs and query builders",
      "examples/checkout/README.md": "A small shop",
      "examples/README.md": "All examples",
    },
  },
  {
    text: "In production",
    portuguese: "Em produção",
    pages: {
      "docs/observability.md": "Observability",
      "docs/runtimes.md": "Runtimes and bundlers",
      "docs/performance.md": "Performance",
      "docs/proven.md": "What is tested",
    },
  },
  {
    text: "The service",
    portuguese: "O serviço",
    pages: { "docs/specification.md": "The specification" },
  },
  {
    text: "Project",
    portuguese: "O projeto",
    pages: {
      "CHANGELOG.md": "Changelog",
      "docs/releases.md": "Releases",
      "docs/SECURITY.md": "Security",
      "docs/decisions.md": "Decisions",
      "bench/results.md": "Benchmarks",
    },
  },
];

export const PORTUGUESE: readonly Omit<Group, "portuguese">[] = [
  {
    text: "Comece aqui",
    pages: {
      "README.pt-BR.md": "Introdução",
      "docs/pt/loja-ate-sexta.md": "Loja no ar até sexta",
    },
  },
  {
    text: "Quando algo dá errado",
    pages: {
      "docs/pt/plantao.md": "Plantão",
      "docs/pt/erros.md": "Erros",
    },
  },
];

/** docs/errors.md -> errors.md, examples/checkout/README.md -> examples/checkout.md, README.md -> index.md. */
export function routeOf(file: string): string {
  if (file === "README.md") return "index.md";
  if (file === "README.pt-BR.md") return "pt/index.md";
  return file
    .replace(/^docs\//, "")
    .replace(/\/README\.md$/, ".md")
    .toLowerCase();
}
