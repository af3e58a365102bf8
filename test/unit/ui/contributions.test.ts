import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import {
  activityViewId,
  clustersViewId,
  commandId,
  commandNames,
  contextKeys,
  panelNames,
  panelViewType,
  savedViewId,
  settingDefaults,
  walkthroughId,
} from '../../../src/ui/contributions.ts';

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly contributes: {
    readonly commands: readonly {
      command: string;
      title: string;
      category: string;
      icon?: string;
      enablement?: string;
    }[];
    readonly submenus: readonly { id: string; label: string }[];
    readonly menus: Readonly<Record<string, readonly MenuItem[]>>;
    readonly views: Readonly<Record<string, readonly { id: string }[]>>;
    readonly viewsWelcome: readonly { view: string; contents: string; when?: string }[];
    readonly walkthroughs: readonly {
      id: string;
      steps: readonly {
        id: string;
        title: string;
        description: string;
        media: { image: Readonly<Record<string, string>>; altText: string };
        completionEvents: readonly string[];
      }[];
    }[];
    readonly configuration: {
      readonly properties: Readonly<
        Record<string, { default: unknown; markdownDescription: string; scope: string }>
      >;
    };
    readonly keybindings: readonly {
      command: string;
      args?: { commands: (string | { command: string })[] };
    }[];
  };
}

const read = (name: string): string =>
  readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const words = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
/** As the editor shows it in English. */
const manifest = JSON.parse(read('package.json'), (_key, value: unknown) => {
  const key = typeof value === 'string' ? /^%(.+)%$/.exec(value)?.[1] : undefined;
  return key === undefined ? value : words[key];
}) as Manifest;
const { commands, submenus, menus, views, viewsWelcome, configuration, keybindings, walkthroughs } =
  manifest.contributes;
const steps = walkthroughs.flatMap((walkthrough) => walkthrough.steps);
/** The commands that a key runs. */
const runBy = ({ command, args }: (typeof keybindings)[number]): string[] => [
  command,
  ...(args?.commands ?? []).map((each) => (typeof each === 'string' ? each : each.command)),
];
/** The commands that a text of the manifest links to, or waits for. */
const linked = (text: string): string[] =>
  [...text.matchAll(/command:([\w.]+)/gi)].map(([, command]) => command ?? '');
/** What `npm run pictures` makes, each in light and dark. */
const pictures = ['clusters', 'tail', 'produce', 'offsets', 'lag'];
const known = new Set(commandNames.map(commandId));
const viewIds: readonly string[] = [clustersViewId, savedViewId, activityViewId];

describe('package.json and the table of contributions', () => {
  it('name the same commands', () => {
    assert.deepEqual(commands.map(({ command }) => command).sort(), [...known].sort());
  });

  it('put every command in one palette category, in sentence case', () => {
    for (const { category, title } of commands) {
      assert.equal(category, 'Kafka Workbench');
      assert.match(title, /^[A-Z][^A-Z]*$/);
    }
  });

  it('open only submenus that there are, and each of those somewhere', () => {
    const opened = Object.values(menus).flatMap((items) =>
      items.flatMap(({ submenu }) => submenu ?? []),
    );
    const ids = submenus.map(({ id }) => id);
    assert.deepEqual([...new Set(opened)].sort(), ids.sort());
    for (const id of ids) assert.ok(menus[id]?.length, id);
  });

  it('use only known commands in menus, keys, welcome links and the walkthrough [K1]', () => {
    const used = [
      ...Object.values(menus).flatMap((items) => items.flatMap(({ command }) => command ?? [])),
      ...keybindings.flatMap(runBy),
      ...viewsWelcome.flatMap(({ contents }) => linked(contents)),
      ...steps.flatMap(({ description, completionEvents }) =>
        [description, ...completionEvents].flatMap(linked),
      ),
    ].filter((command) => command.startsWith('kafkaWorkbench.'));
    assert.deepEqual(
      used.filter((command) => !known.has(command)),
      [],
    );
  });

  it('tick a step of the walkthrough because of what happened, by whatever way, and not of a command [K1]', () => {
    const keys = new Set<string>(Object.values(contextKeys));
    for (const { id, completionEvents } of steps) {
      assert.ok(completionEvents.length > 0, id);
      for (const event of completionEvents) {
        const key = /^onContext:([\w.]+)(?: == \w+)?$/.exec(event)?.[1];
        assert.ok(key !== undefined && keys.has(key), event);
      }
    }
  });

  it('leave no command to the pointer: the palette has it, a menu that Shift+F10 opens, or a key [K1]', () => {
    const hidden = menus['commandPalette']?.filter(({ when }) => when === 'false') ?? [];
    const inRows = menus['view/item/context'] ?? [];
    const inMenus = [...inRows, ...submenus.flatMap(({ id }) => menus[id] ?? [])]
      .filter(({ group }) => group?.startsWith('inline') !== true)
      .map(({ command }) => command);
    const onKeys = keybindings.flatMap(runBy);
    // What Enter does to a row of that kind.
    const onEnter = commandId('showMore');
    const reached = new Set([...inMenus, ...onKeys, onEnter]);
    assert.ok(hidden.length > 0);
    assert.deepEqual(
      hidden.filter(({ command }) => !reached.has(command)),
      [],
    );
  });

  it('give each command of an inline menu an icon', () => {
    const inline = menus['view/item/context']?.filter(({ group }) => group?.startsWith('inline'));
    assert.ok(inline?.length);
    for (const { command } of inline) {
      assert.ok(commands.find((each) => each.command === command)?.icon, command ?? 'a submenu');
    }
  });

  it('name the same view, settings with their defaults, and restored panels', () => {
    assert.deepEqual(
      Object.values(views).flatMap((of) => of.map(({ id }) => id)),
      viewIds,
    );
    assert.deepEqual(
      Object.fromEntries(
        Object.entries(configuration.properties).map(([name, { default: value }]) => [name, value]),
      ),
      Object.fromEntries(
        Object.entries(settingDefaults).map(([name, value]) => [`kafkaWorkbench.${name}`, value]),
      ),
    );
    assert.deepEqual(
      manifest.activationEvents.filter((event) => event.startsWith('onWebviewPanel:')),
      panelNames.map((name) => `onWebviewPanel:${panelViewType(name)}`),
    );
  });

  it('describe every setting, and let no workspace set where the embedded cluster lives', () => {
    for (const [name, { markdownDescription, scope }] of Object.entries(configuration.properties)) {
      assert.ok(markdownDescription.length > 20, name);
      if (name.includes('.embedded.')) assert.equal(scope, 'machine', name);
    }
  });

  it('use only context keys that the code sets', () => {
    const clauses = [
      ...Object.values(menus).flatMap((items) => items.map(({ when }) => when ?? '')),
      ...commands.map(({ enablement }) => enablement ?? ''),
      ...viewsWelcome.map(({ when }) => when ?? ''),
      ...steps.flatMap(({ completionEvents }) =>
        completionEvents.filter((event) => event.startsWith('onContext:')),
      ),
    ];
    const keys = clauses
      .flatMap((clause) =>
        [...clause.matchAll(/(?<!config\.)kafkaWorkbench\.\w+/g)].map(([key]) => key),
      )
      .filter((key) => !viewIds.includes(key));
    assert.deepEqual(
      keys.filter((key) => !(Object.values(contextKeys) as string[]).includes(key)),
      [],
    );
  });

  it('have one walkthrough, whose steps each have a button, an end and a picture in every theme [K1]', () => {
    assert.deepEqual(
      walkthroughs.map(({ id }) => id),
      [walkthroughId],
    );
    for (const { id, description, media, completionEvents } of steps) {
      // A link alone on its line is drawn as a button.
      assert.match(description, /^\[[^\]]+\]\(command:kafkaWorkbench\.\w+\)$/m, id);
      assert.ok(completionEvents.length > 0, id);
      for (const event of completionEvents) {
        assert.match(event, /^(onCommand:|onContext:)kafkaWorkbench\./, id);
      }
      assert.ok(media.altText.length > 20, id);
      const { light = '', dark = '' } = media.image;
      assert.deepEqual(media.image, { light, dark, hc: dark, hcLight: light }, id);
      const [, name = ''] = /^media\/screenshots\/(\w+)-light\.png$/.exec(light) ?? [];
      assert.equal(dark, `media/screenshots/${name}-dark.png`);
      assert.ok(
        pictures.includes(name),
        `${id} shows ${light}, which npm run pictures does not make`,
      );
    }
  });

  it('order what a menu shows: no two entries of a group at one place for the same row', () => {
    for (const [menu, items] of Object.entries(menus)) {
      const places = items.map(({ group, when }) => `${group ?? ''} ${when ?? ''}`);
      if (menu !== 'commandPalette') assert.deepEqual(places, [...new Set(places)], menu);
    }
  });
});
