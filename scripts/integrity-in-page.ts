/** A page with the hash of the build wherever it shows one for `<script>`. */
export function withIntegrity(markdown: string, hashes: Readonly<Record<string, string>>): string {
  return markdown.replaceAll(
    /(src="[^"]*?([\w.]+)"\s+integrity=")sha384-[^"]*"/g,
    (whole, before: string, file: string) => {
      const hash = hashes[file];
      return hash === undefined ? whole : `${before}${hash}"`;
    },
  );
}
