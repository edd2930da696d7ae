import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PaymentsErrorCode } from "payments-sdk";
import ts from "typescript";

/** A field that a class adds to those of its base. */
export interface ErrorField {
  readonly name: string;
  readonly type: string;
  readonly meaning: string;
}

/** What the documentation comment of an error class says. */
export interface ErrorClass {
  readonly name: string;
  readonly base: string;
  readonly code: PaymentsErrorCode;
  /** What happened; its first paragraph is for a table. */
  readonly happened: string;
  /** What to do; its first sentence is for a table. */
  readonly advice: string;
  readonly specification: string | undefined;
  readonly fields: readonly ErrorField[];
}

const folder = join(import.meta.dirname, "../src/core/errors");

/** Every class of an error with a code of its own, in the order in which the type of the codes names them. */
export function errorClasses(): ErrorClass[] {
  const sources = readdirSync(folder).map((file) => {
    const text = readFileSync(join(folder, file), "utf8");
    return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  });
  const classes = sources.flatMap(({ statements }) => statements.filter(ts.isClassDeclaration).flatMap(read));
  const codes = sources
    .flatMap(({ statements }) => statements.filter(ts.isTypeAliasDeclaration))
    .find(isOfCodes);
  const order = [...(codes?.type.getText().matchAll(/"(\w+)"/g) ?? [])].map((match) => match[1]);
  return classes.sort((a, b) => order.indexOf(a.code) - order.indexOf(b.code));
}

const isOfCodes = ({ name }: ts.TypeAliasDeclaration): boolean => name.text === "PaymentsErrorCode";

function read(node: ts.ClassDeclaration): ErrorClass[] {
  const name = node.name?.text ?? "";
  const code = node.members.filter(ts.isPropertyDeclaration).find((member) => nameOf(member) === "code");
  if (code?.initializer === undefined || !ts.isStringLiteral(code.initializer)) return []; // the base of all has none
  const said = commentOf(node);
  const [, happened = said, specification] = /^(.*?)\n*(?:Spec: (.*?)\.?)?$/s.exec(said) ?? [];
  return [
    {
      name,
      base: node.heritageClauses?.[0]?.types[0]?.expression.getText() ?? "",
      code: code.initializer.text as PaymentsErrorCode,
      happened,
      advice: remarksOf(node),
      specification,
      fields: node.members.flatMap(fieldOf),
    },
  ];
}

function fieldOf(member: ts.ClassElement): ErrorField[] {
  const isField = ts.isPropertyDeclaration(member) || ts.isGetAccessorDeclaration(member);
  const name = isField ? nameOf(member) : "";
  if (!isField || ["", "name", "code"].includes(name)) return [];
  const type = literally(member.type?.getText().replace(/^readonly /, "") ?? "", member.getSourceFile());
  return [{ name, type, meaning: onOneLine(commentOf(member)) }];
}

/** A name that the same file gives to a union is of no use to a reader who does not see that file. */
function literally(type: string, file: ts.SourceFile): string {
  const alias = file.statements.filter(ts.isTypeAliasDeclaration).find(({ name }) => name.text === type);
  return onOneLine(alias?.type.getText().replace(/^\s*\|/, "") ?? type);
}

function nameOf(member: ts.ClassElement): string {
  return member.name !== undefined && ts.isIdentifier(member.name) ? member.name.text : "";
}

function commentOf(node: ts.HasJSDoc): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return plain(ts.getTextOfJSDocComment(comment?.comment));
}

function remarksOf(node: ts.HasJSDoc): string {
  const remarks = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === "remarks");
  return onOneLine(plain(ts.getTextOfJSDocComment(remarks?.comment)));
}

/** `{@link ApiError.status}` is a link to the IDE and a name to everybody else. */
function plain(text: string | undefined): string {
  return (text ?? "").replaceAll(/\{@link (?:\w+\.)?(\w+)\}/g, "`$1`").trim();
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** The first sentence of a text. */
export function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(onOneLine(text))?.[0] ?? onOneLine(text);
}
