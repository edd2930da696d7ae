/** `true` if JSON changes no part of a type. */
export type IsJson<T> = [T] extends [JsonOf<T>] ? true : false;

type JsonOf<T> =
  IsAny<T> extends true
    ? never
    : T extends string | number | boolean | null
      ? T
      : T extends (...args: never[]) => unknown
        ? never
        : T extends Date | Promise<unknown> | Map<unknown, unknown> | Set<unknown>
          ? never
          : T extends object
            ? { [Key in keyof T]: JsonOf<T[Key]> }
            : never;

/** Each member of a union without its `raw`, which is not part of its JSON. */
export type WithoutRaw<T> = T extends unknown ? Omit<T, "raw"> : never;

export type IsAny<T> = 0 extends 1 & T ? true : false;

/** Types of the platform, which are not checked. */
type Platform =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | Headers
  | AbortSignal
  | Request
  | Response
  | ArrayBuffer
  | ArrayBufferView;

/** All members of `RequestInit` are optional, so many of our own types would extend it. */
type Exactly<T, Other> = [T, Other] extends [Other, T] ? Other : never;

/** The paths of every `any` in a type; `never` if it has none. */
export type AnyIn<T, Path extends string = "", Depth extends 0[] = []> =
  IsAny<T> extends true
    ? `${Path} is any`
    : Depth["length"] extends 7
      ? never
      : T extends Platform | Exactly<T, RequestInit>
        ? never
        : T extends Promise<infer Data>
          ? AnyIn<Data, `${Path}.then`, [...Depth, 0]>
          : T extends AsyncIterable<infer Entry>
            ? AnyIn<Entry, `${Path}[]`, [...Depth, 0]>
            : T extends abstract new (
                  ...args: infer Args
                ) => infer Instance
              ?
                  | AnyIn<Args[number], `${Path}.new`, [...Depth, 0]>
                  | AnyIn<Instance, `${Path}.new`, [...Depth, 0]>
              : T extends (...args: infer Args) => infer Result
                ?
                    | AnyIn<Args[number], `${Path}(in)`, [...Depth, 0]>
                    | AnyIn<Result, `${Path}(out)`, [...Depth, 0]>
                : T extends readonly (infer Entry)[]
                  ? AnyIn<Entry, `${Path}[]`, [...Depth, 0]>
                  : T extends object
                    ? { [Key in keyof T]-?: AnyIn<T[Key], `${Path}.${Key & string}`, [...Depth, 0]> }[keyof T]
                    : never;
