/** In the place of a panel whose cluster does not run yet: what is missing, and the button for it. */
import '../kit/language.ts';
import { t } from '../../src/base/l10n.ts';
import { standbyHost, type StandbyState, standbyView } from '../../src/shared/contracts/standby.ts';
import { button } from '../kit/controls.ts';
import { append, h, setText, show } from '../kit/dom.ts';
import { connect } from '../kit/host.ts';
import { errorBanner, toUserError } from '../kit/parts.ts';
import '../kit/kit.css';
import './standby.css';

const host = connect(standbyView, { state: (state) => showState(state) }, standbyHost);

const banner = errorBanner();
const heading = h('h1', { role: 'status' });
const meaning = h('p', { class: 'dim' });
const start = button({
  label: t('Start the embedded cluster'),
  icon: 'play',
  primary: true,
  onClick: () => void startCluster(),
});

function showState({ title, cluster, problem }: StandbyState): void {
  const isStarting = cluster === 'starting';
  setText(heading, headingOf(cluster, problem));
  setText(meaning, t('{0} opens once it runs. Its records and groups are kept.', title));
  start.setDisabled(isStarting ? t('Starting …') : undefined);
  show(page, true);
}

function headingOf(cluster: StandbyState['cluster'], problem = ''): string {
  if (cluster === 'starting') return t('The embedded cluster is starting …');
  return cluster === 'crashed'
    ? t('The embedded cluster is not running: {0}.', problem)
    : t('The embedded cluster is not running.');
}

async function startCluster(): Promise<void> {
  try {
    await host.callWithoutDeadline('start', {});
  } catch (error) {
    banner.show(toUserError(error));
  }
}

const page = h('main', { class: 'standby', hidden: true }, heading, meaning, start.element);
append(document.body, banner.element, page);

async function begin(): Promise<void> {
  try {
    showState(await host.call('ready', {}));
  } catch (error) {
    banner.show(toUserError(error));
  }
}

void begin();
