/** `true` where every part of a type survives JSON as it is. */
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

/** Each member of a union without its `raw`, which JSON does not show. */
export type WithoutRaw<T> = T extends unknown ? Omit<T, "raw"> : never;

export type IsAny<T> = 0 extends 1 & T ? true : false;

/** Types of the platform; what they are made of is not ours. */
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

/** All members of `RequestInit` are optional, so that half of our own types would pass for one. */
type Exactly<T, Other> = [T, Other] extends [Other, T] ? Other : never;

/** The names on the way to every `any` in a type; `never` where it has none. */
export type AnyIn<T, Way extends string = "", Depth extends 0[] = []> =
  IsAny<T> extends true
    ? `${Way} is any`
    : Depth["length"] extends 7
      ? never
      : T extends Platform | Exactly<T, RequestInit>
        ? never
        : T extends Promise<infer Data>
          ? AnyIn<Data, `${Way}.then`, [...Depth, 0]>
          : T extends AsyncIterable<infer Entry>
            ? AnyIn<Entry, `${Way}[]`, [...Depth, 0]>
            : T extends abstract new (
                  ...args: infer Args
                ) => infer Instance
              ?
                  | AnyIn<Args[number], `${Way}.new`, [...Depth, 0]>
                  | AnyIn<Instance, `${Way}.new`, [...Depth, 0]>
              : T extends (...args: infer Args) => infer Result
                ?
                    | AnyIn<Args[number], `${Way}(in)`, [...Depth, 0]>
                    | AnyIn<Result, `${Way}(out)`, [...Depth, 0]>
                : T extends readonly (infer Entry)[]
                  ? AnyIn<Entry, `${Way}[]`, [...Depth, 0]>
                  : T extends object
                    ? { [Key in keyof T]-?: AnyIn<T[Key], `${Way}.${Key & string}`, [...Depth, 0]> }[keyof T]
                    : never;
