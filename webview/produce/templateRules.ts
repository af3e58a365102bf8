/** What is said of a draft that holds placeholders: as it is, and filled in. */
import { t } from '../../src/base/l10n.ts';
import type { DraftProblem, ProducePreview } from '../../src/shared/contracts/produce.ts';

type Looked = Pick<ProducePreview, 'problems' | 'template'>;

export interface FieldWords {
  readonly problems: readonly DraftProblem[];
  /** What is no fault of the field. */
  readonly notes: readonly DraftProblem[];
}

/** What stands beside the fields: that a template is no JSON before it is filled in is no fault of it. */
export function fieldWords({ problems, template }: Looked): FieldWords {
  if (!template) return { problems, notes: [] };
  const asItIs = new Map(problems.map((problem) => [problem.field, problem]));
  const filledIn = new Map(template.problems.map((problem) => [problem.field, problem]));
  const isTemplate = new Set(template.fields);
  const isFault = (field: string): boolean => asItIs.has(field) && filledIn.has(field);
  const isOnlyTemplate = template.fields.some((field) => asItIs.has(field));
  return {
    problems: [
      ...problems.filter(({ field }) => !isTemplate.has(field)),
      ...template.problems.filter(({ field }) => isTemplate.has(field) && isFault(field)),
    ],
    notes: template.fields
      .filter((field) => !isFault(field))
      .map((field) => ({ field, message: noteWords(isOnlyTemplate, filledIn.get(field)) })),
  };
}

function noteWords(isOnlyTemplate: boolean, problem: DraftProblem | undefined): string {
  if (problem) return t('It can be sent as it is, and not as a template: {0}', problem.message);
  return isOnlyTemplate
    ? t('A template: “Send many” fills it in.')
    : t('“Send many” fills in the {{…}}. “Send” leaves them as they are.');
}

/** Why the record cannot be sent as it is. What is wrong with a field stands beside that. */
export function whyNotOne({ problems, template }: Looked): string | undefined {
  const filledIn = new Set(template?.fields);
  if (template?.problems.length === 0 && problems.some(({ field }) => filledIn.has(field))) {
    return t('This is a template: use “Send many”.');
  }
  const fields = new Set(problems.map(({ field }) => fieldName(field)));
  const [first] = fields;
  if (first === undefined) return undefined;
  return fields.size === 1
    ? t('{0} is not right yet.', first)
    : t('{0} fields are not right yet.', fields.size);
}

function fieldName(field: string): string {
  const [part = field] = field.split('.');
  return fieldNames[part]?.() ?? part;
}

const fieldNames: Readonly<Record<string, () => string>> = {
  topic: () => t('Topic'),
  partition: () => t('Partition'),
  key: () => t('Key'),
  value: () => t('Value'),
  headers: () => t('Headers'),
  timestamp: () => t('Timestamp'),
  delivery: () => t('Delivery'),
};

/** Why it cannot be sent many times. */
export function whyNotMany({ problems, template }: Looked): string | undefined {
  return summary(template?.problems ?? problems);
}

function summary(problems: readonly DraftProblem[]): string | undefined {
  const [first] = problems;
  return (
    first &&
    (problems.length === 1
      ? first.message
      : t('{0} problems, first: {1}', problems.length, first.message))
  );
}
