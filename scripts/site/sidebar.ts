// The pages of the site, in the order of its sidebar, which shows their titles. A file that does not exist is left out.

export interface Group {
  readonly text: string;
  readonly portuguese: string;
  readonly files: readonly string[];
}

export const ENGLISH: readonly Group[] = [
  {
    text: "Start",
    portuguese: "Primeiros passos",
    files: ["README.md", "docs/client.md", "docs/going-live.md"],
  },
  {
    text: "The checkout page",
    portuguese: "A página de pagamento",
    files: [
      "docs/elements.md",
      "docs/react.md",
      "docs/nextjs.md",
      "docs/vue.md",
      "docs/svelte.md",
      "docs/tokenization.md",
      "docs/installments.md",
      "docs/pci.md",
    ],
  },
  {
    text: "Never charge twice",
    portuguese: "Nunca cobrar duas vezes",
    files: [
      "docs/idempotency.md",
      "docs/stores.md",
      "docs/other-databases.md",
      "docs/postbacks.md",
      "docs/check-again-later.md",
    ],
  },
  {
    text: "When something goes wrong",
    portuguese: "Quando algo dá errado",
    files: [
      "docs/on-call.md",
      "docs/errors.md",
      "docs/timeouts.md",
      "docs/refused-cards.md",
      "docs/refunds.md",
    ],
  },
  {
    text: "Testing",
    portuguese: "Testes",
    files: ["docs/rehearse.md", "docs/testing.md", "docs/sandbox.md", "docs/curl.md", "docs/command-line.md"],
  },
  {
    text: "Frameworks and recipes",
    portuguese: "Frameworks e exemplos",
    files: [
      "examples/postbacks/README.md",
      "docs/nestjs.md",
      "docs/workers.md",
      "docs/jest-and-commonjs.md",
      "docs/orms.md",
      "examples/next/README.md",
      "examples/README.md",
    ],
  },
  {
    text: "In production",
    portuguese: "Em produção",
    files: [
      "docs/observability.md",
      "docs/platform.md",
      "docs/logs-and-csp.md",
      "docs/runtimes.md",
      "docs/performance.md",
      "docs/shutdown.md",
      "docs/proven.md",
    ],
  },
  { text: "The service", portuguese: "O serviço", files: ["docs/specification.md"] },
  {
    text: "Project",
    portuguese: "O projeto",
    files: ["CHANGELOG.md", "docs/releases.md", "docs/SECURITY.md", "docs/decisions.md", "bench/results.md"],
  },
];

export const PORTUGUESE: readonly Omit<Group, "portuguese">[] = [
  { text: "Comece aqui", files: ["README.pt-BR.md", "docs/pt/loja-ate-sexta.md"] },
  { text: "Quando algo dá errado", files: ["docs/pt/plantao.md", "docs/pt/erros.md", "docs/pt/estornos.md"] },
];

/** docs/errors.md -> errors.md, examples/next/README.md -> examples/next.md, README.md -> index.md. */
export function routeOf(file: string): string {
  if (file === "README.md") return "index.md";
  if (file === "README.pt-BR.md") return "pt/index.md";
  return file
    .replace(/^docs\//, "")
    .replace(/\/README\.md$/, ".md")
    .toLowerCase();
}
