/** What the service of a soak took from its customers. */
export class Charges {
  readonly #ids = new Map<string, number>();
  #twice = 0;
  #last = 0;

  /** Takes the money; of a request that cannot be read, nothing. */
  take(body: string): { readonly id: number; readonly externalRef: string } | undefined {
    const externalRef = referenceIn(body);
    if (externalRef === undefined) return undefined;
    this.#last += 1;
    if (this.#ids.has(externalRef)) this.#twice += 1;
    this.#ids.set(externalRef, this.#last);
    return { id: this.#last, externalRef };
  }

  get count(): number {
    return this.#last;
  }

  get twice(): number {
    return this.#twice;
  }

  /** The transactions of some references, `null` where there is none. */
  idsOf(references: readonly string[]): (number | null)[] {
    return references.map((reference) => this.#ids.get(reference) ?? null);
  }
}

function referenceIn(body: string): string | undefined {
  return /"externalRef":"([^"]+)"/.exec(body)?.[1];
}
