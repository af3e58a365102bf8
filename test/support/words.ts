// The words of the product, as TypeScript's parser finds them: what goes through t(), and what does not and should.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

const ROOT = path.join(import.meta.dirname, '../..');

export interface Message {
  readonly text: string;
  /** `src/ui/text.ts:12`. */
  readonly place: string;
  /** Values beside it. */
  readonly values: number;
}

export interface Words {
  readonly messages: readonly Message[];
  /** Calls of t() that cannot be translated, or are made before a language is spoken. */
  readonly faults: readonly string[];
  /** Literals that read as words and do not go through t(). */
  readonly bare: readonly string[];
}

export function wordsOfProduct(): Words {
  const messages: Message[] = [];
  const faults: string[] = [];
  const bare: string[] = [];
  for (const file of [...sources('src'), ...sources('webview')]) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const at = (node: ts.Node): string =>
      `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    const visit = (node: ts.Node): void => {
      if (isTCall(node)) {
        const [message] = node.arguments;
        if (!message || !ts.isStringLiteralLike(message)) faults.push(`${at(node)}: no literal`);
        else
          messages.push({ text: message.text, place: at(node), values: node.arguments.length - 1 });
        if (file.startsWith('src/') && !isInFunction(node)) faults.push(`${at(node)}: too early`);
      } else if (isLiteral(node) && isSpoken(file) && readsAsWords(node) && !isExempt(node)) {
        bare.push(`${at(node)}: ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { messages, faults, bare };
}

function sources(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => path.join(folder, file))
    .sort();
}

function isTCall(node: ts.Node): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 't'
  );
}

function isInFunction(node: ts.Node): boolean {
  return ts.findAncestor(node, (each) => ts.isFunctionLike(each)) !== undefined;
}

type Literal = ts.StringLiteralLike | ts.TemplateExpression;

function isLiteral(node: ts.Node): node is Literal {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** What people read is made here; text for machines and for programmers is made in these files. */
function isSpoken(file: string): boolean {
  return /^(src\/(ui|cluster)|webview)\//.test(file) && !notForPeople.has(file);
}

const notForPeople = new Set<string>([]);

/** Two words side by side, or one that begins as a sentence or a label does. */
function readsAsWords(node: Literal): boolean {
  const text = ts.isTemplateExpression(node)
    ? [node.head, ...node.templateSpans.map(({ literal }) => literal)]
        .map((each) => each.text)
        .join('0')
    : node.text;
  return /[A-Za-z]{2,}[,.:;]? [A-Za-z]{2,}/.test(text) || /^[A-Z][a-z]{2,}\b[^-./]*$/.test(text);
}

const quietCalls = new Set(['debug', 'info', 'warn', 'error', 't']);
const quietProperties = new Set(['class', 'context', 'command', 'key', 'd']);

function isExempt(node: Literal): boolean {
  const { parent } = node;
  if (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent)
  )
    return true;
  if (ts.isCaseClause(parent) || ts.isElementAccessExpression(parent)) return true;
  return (
    ts.findAncestor(node, (each) => {
      if (ts.isCallExpression(each)) return quietCalls.has(nameOf(each.expression));
      if (ts.isPropertyAssignment(each)) return quietProperties.has(each.name.getText());
      return false;
    }) !== undefined
  );
}

function nameOf(callee: ts.Expression): string {
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isIdentifier(callee) ? callee.text : '';
}
