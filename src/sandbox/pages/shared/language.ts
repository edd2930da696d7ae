/** The language of the page. The server chooses the first of the browser's languages that the pages have. */
export const language: "pt" | "en" = document.documentElement.lang === "pt-BR" ? "pt" : "en";

/** The same texts in both languages. Values of the API, such as a status, are not translated. */
export type Texts<T> = Readonly<Record<typeof language, T>>;

export function choose<T>(texts: Texts<T>): T {
  return texts[language];
}
