import type { ConfigTable } from './configType.ts';

type Told<Table extends ConfigTable> = {
  readonly [Name in keyof Table]: Omit<Table[Name], 'documentation'> & {
    readonly documentation: string;
  };
};

/** The same configs, which say themselves that nothing here goes by them. */
export function withoutEffect<Table extends ConfigTable>(table: Table): Told<Table> {
  return Object.fromEntries(
    Object.entries(table).map(([name, definition]) => {
      const documentation = `${definition.documentation} It changes nothing here.`;
      return [name, { ...definition, documentation }];
    }),
  ) as Told<Table>;
}
