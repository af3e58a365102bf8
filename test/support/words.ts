// The words of the product, as TypeScript's parser finds them: what goes through t(), and what should and does not.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export const ROOT = path.join(import.meta.dirname, '../..');

export interface Message {
  readonly text: string;
  /** `src/ui/text.ts:12`. */
  readonly place: string;
  /** How many values it is given; undefined where they are spread. */
  readonly values: number | undefined;
}

export interface Words {
  readonly messages: readonly Message[];
  /** Calls of t() that no translator sees, or that are made before a language is spoken. */
  readonly faults: readonly string[];
  /** Literals that read as words and do not go through t(). */
  readonly bare: readonly string[];
}

export function wordsOfProduct(): Words {
  const messages: Message[] = [];
  const faults: string[] = [];
  const bare: string[] = [];
  for (const file of [...sourcesIn('src'), ...sourcesIn('webview')]) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const placeOf = (node: ts.Node): string =>
      `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    const visit = (node: ts.Node): void => {
      if (isCallOfT(node)) {
        const [message, ...values] = node.arguments;
        const place = placeOf(node);
        if (!message || !ts.isStringLiteralLike(message)) faults.push(`${place}: no literal`);
        else messages.push({ text: message.text, place, values: countOf(values) });
        // A page speaks before its modules load; the extension and the worker after.
        if (file.startsWith('src') && !isInFunction(node)) faults.push(`${place}: said too early`);
      } else if (isLiteral(node) && isForPeople(file) && readsAsWords(node) && !isExempt(node)) {
        bare.push(`${placeOf(node)}: ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { messages, faults, bare };
}

/** Paths from the root, with `/`. */
export function sourcesIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .sort();
}

function isCallOfT(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && nameOf(node.expression) === 't';
}

function countOf(values: readonly ts.Expression[]): number | undefined {
  return values.some(ts.isSpreadElement) ? undefined : values.length;
}

function isInFunction(node: ts.Node): boolean {
  return ts.findAncestor(node, ts.isFunctionLike) !== undefined;
}

type Literal = ts.StringLiteralLike | ts.TemplateExpression;

function isLiteral(node: ts.Node): node is Literal {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);
}

/** Where words for people are made, but for text that is for programs. */
function isForPeople(file: string): boolean {
  return /^(src\/(ui|cluster)|webview)\//.test(file) && !forPrograms.test(file);
}

const forPrograms = /^src\/cluster\/clientSettings\/|\/(tailScriptHarness|panelHtml)\.ts$/;

/** Two words side by side, or one that begins with a capital, as a label does. */
function readsAsWords(node: Literal): boolean {
  const text = ts.isTemplateExpression(node)
    ? [node.head, ...node.templateSpans.map(({ literal }) => literal)]
        .map((part) => part.text)
        .join('0')
    : node.text;
  return /[A-Za-z]{2,}[,.:;]? [A-Za-z]{2,}/.test(text) || /^[A-Z][a-z]{2,}\b[^-./]*$/.test(text);
}

/** Logs are English; what is counted is a key of the table of nouns. */
const quietCalls = new Set(['debug', 'info', 'warn', 'error', 'counted', 'count']);
const quietProperties = new Set(['class', 'context', 'command', 'key']);
/** Names of keys, of Kafka's states and of products, and what a person may type: the same in every language. */
const names = new Set([
  ...['Escape', 'Enter', 'Home', 'End', 'Tab', 'Delete', 'Error'],
  ...['Empty', 'Dead', 'Stable', 'Assigning', 'Reconciling', 'Scram'],
  ...['Kafka Workbench', 'Avro', 'Protobuf', 'Hex', 'Null', 'vscode-button, vscode-checkbox'],
  ...['latest, last 100, @-1h, 6100:6200 …', 'audience=kafka, resource=orders'],
]);

function isExempt(node: Literal): boolean {
  if (ts.isStringLiteralLike(node) && names.has(node.text)) return true;
  const { parent } = node;
  if (isCallOfT(parent)) return true;
  if (ts.isCallExpression(parent) && parent.arguments[0]?.getText() === "'class'") return true;
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent)) return true;
  if (ts.isLiteralTypeNode(parent) || ts.isCaseClause(parent)) return true;
  return ts.findAncestor(node, isQuiet) !== undefined;
}

function isQuiet(node: ts.Node): boolean {
  if (ts.isCallExpression(node)) return quietCalls.has(nameOf(node.expression));
  return ts.isPropertyAssignment(node) && quietProperties.has(node.name.getText());
}

function nameOf(callee: ts.Expression): string {
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isIdentifier(callee) ? callee.text : '';
}
