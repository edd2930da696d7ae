/** The language of the pages: the first of the browser's languages that they have. */
export const language: "pt" | "en" =
  navigator.languages
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((code): code is "pt" | "en" => code === "pt" || code === "en") ?? "en";

/** The same texts in both languages. Values of the API, such as a status, are not translated. */
export type Texts<T> = Readonly<Record<typeof language, T>>;

export function choose<T>(texts: Texts<T>): T {
  document.documentElement.lang = language === "pt" ? "pt-BR" : "en";
  return texts[language];
}
