// Classic groups: JoinGroup, SyncGroup, Heartbeat, LeaveGroup, DescribeGroups, ListGroups, DeleteGroups.
import type { Scenarios } from '../support/run.ts';
import { joinAlone, joinOf, leaveOf, stable, syncOf } from '../support/groupRequests.ts';

export const groupScenarios: Scenarios = {
  async 'groups that are not there'(run) {
    const group = { groupId: run.fresh('group'), memberId: 'nobody', generationId: 1 };
    await run.each('joinGroup', (version) =>
      joinOf(group.groupId, version, { memberId: 'nobody' }),
    );
    await run.each('syncGroup', (version) => syncOf(group, version));
    await run.each('heartbeat', () => group);
    await run.each('leaveGroup', (version) => leaveOf(group, version));
    await run.each('describeGroups', () => ({ groups: [group.groupId] }));
    await run.each('deleteGroups', () => ({ groupsNames: [group.groupId] }));
  },

  async 'groups without a name'(run) {
    const group = { groupId: '', memberId: 'nobody', generationId: 1 };
    await run.each('joinGroup', (version) => joinOf('', version));
    await run.each('syncGroup', (version) => syncOf(group, version));
    await run.each('heartbeat', () => group);
    await run.each('leaveGroup', (version) => leaveOf(group, version));
    await run.each('describeGroups', () => ({ groups: [''] }));
    await run.each('deleteGroups', () => ({ groupsNames: [''] }));
  },

  async 'a member alone, from joining to leaving'(run) {
    for (const version of run.versions('joinGroup')) {
      const groupId = run.fresh('group');
      const member = await joinAlone(run, groupId, version);
      const at = (
        api: 'syncGroup' | 'heartbeat' | 'leaveGroup' | 'describeGroups' | 'deleteGroups',
      ) => Math.min(version, run.latest(api));
      await run.ask('describeGroups', at('describeGroups'), { groups: [groupId] });
      await run.ask('syncGroup', at('syncGroup'), syncOf(member, at('syncGroup')));
      await run.ask('syncGroup', at('syncGroup'), syncOf(member, at('syncGroup')));
      await run.ask('heartbeat', at('heartbeat'), member);
      await run.ask('describeGroups', at('describeGroups'), { groups: [groupId] });
      await run.ask('deleteGroups', at('deleteGroups'), { groupsNames: [groupId] });
      await run.ask('leaveGroup', at('leaveGroup'), leaveOf(member, at('leaveGroup')));
      await run.ask('describeGroups', at('describeGroups'), { groups: [groupId] });
      await run.ask('deleteGroups', at('deleteGroups'), { groupsNames: [groupId, groupId] });
      await run.ask('describeGroups', at('describeGroups'), { groups: [groupId] });
    }
  },

  async 'session timeouts that are not allowed'(run) {
    const groupId = run.fresh('group');
    for (const sessionTimeoutMs of [0, 5_999, 1_800_001])
      await run.each('joinGroup', (version) => joinOf(groupId, version, { sessionTimeoutMs }));
  },

  async 'protocols that do not go together'(run) {
    const member = await stable(run);
    for (const options of [
      { protocols: ['other'] },
      { protocolType: 'connect' },
      { protocolType: '' },
      { protocols: [] },
    ])
      await run.each(
        'joinGroup',
        (version) => joinOf(member.groupId, version, options),
        JSON.stringify(options),
      );
    await run.each('joinGroup', (version) =>
      joinOf(run.fresh('group'), version, { protocols: [] }),
    );
    await run.each('joinGroup', (version) =>
      joinOf(run.fresh('group'), version, { protocolType: '' }),
    );
  },

  async 'what a stable group refuses'(run) {
    const member = await stable(run);
    const wrong = [
      { ...member, generationId: member.generationId + 1 },
      { ...member, generationId: -1 },
      { ...member, memberId: 'nobody' },
      { ...member, memberId: '' },
    ];
    for (const each of wrong) {
      await run.each('heartbeat', () => each);
      await run.each('syncGroup', (version) => syncOf(each, version));
    }
    for (const strange of ['nobody', ''])
      await run.each('leaveGroup', (version) => leaveOf({ ...member, memberId: strange }, version));
    await run.each('joinGroup', (version) =>
      joinOf(member.groupId, version, { memberId: 'nobody' }),
    );
    await run.each('deleteGroups', () => ({ groupsNames: [member.groupId] }));
    const sync = syncOf(member, 5);
    await run.last('syncGroup', { ...sync, protocolType: 'connect' });
    await run.last('syncGroup', { ...sync, protocolName: 'sticky' });
    await run.last('syncGroup', { ...sync, protocolName: null });
    await run.each('heartbeat', () => member);
  },

  async 'instance ids that nobody has'(run) {
    const member = await stable(run);
    const groupInstanceId = 'nobody';
    for (const version of [3, 4])
      await run.ask('heartbeat', version, { ...member, groupInstanceId });
    for (const version of [3, 4, 5]) {
      await run.ask('syncGroup', version, { ...syncOf(member, version), groupInstanceId });
      const members = [
        { memberId: member.memberId, groupInstanceId },
        { memberId: '', groupInstanceId },
      ];
      await run.ask('leaveGroup', version, { groupId: member.groupId, members });
    }
  },

  async 'a static member that comes back'(run) {
    const options = { groupInstanceId: 'one' };
    for (const version of [5, 6, 7, 8, 9]) {
      const groupId = run.fresh('group');
      const old = await joinAlone(run, groupId, version, options);
      await run.ask('syncGroup', Math.min(version, 5), syncOf(old, Math.min(version, 5)));
      const back = await joinAlone(run, groupId, version, options);
      await run.ask('syncGroup', 5, syncOf(back, 5));
      for (const fenced of [4, 3])
        await run.ask('heartbeat', fenced, { ...old, groupInstanceId: 'one' }, { label: 'fenced' });
      await run.ask(
        'syncGroup',
        5,
        { ...syncOf(old, 5), groupInstanceId: 'one' },
        { label: 'fenced' },
      );
      const again = joinOf(groupId, version, { memberId: old.memberId, ...options });
      await run.ask('joinGroup', version, again, { label: 'fenced' });
      const members = [{ memberId: old.memberId, groupInstanceId: 'one' }];
      await run.ask('leaveGroup', 5, { groupId, members }, { label: 'fenced' });
      await run.ask('describeGroups', 5, { groups: [groupId] });
      await run.ask('leaveGroup', 5, {
        groupId,
        members: [{ memberId: '', groupInstanceId: 'one' }],
      });
    }
  },

  async 'a second member and the rebalance it makes'(run) {
    const first = await stable(run);
    const { groupId } = first;
    const second = await run.connect();
    const asked = await run.ask('joinGroup', 9, joinOf(groupId, 9), { on: second });
    const joining = run.ask('joinGroup', 9, joinOf(groupId, 9, { memberId: asked.memberId }), {
      on: second,
      label: 'second',
    });
    await run.until(['heartbeat', 4, first], ({ errorCode }) => errorCode !== 0);
    await run.each('heartbeat', () => first);
    await run.each('syncGroup', (version) => syncOf(first, version));
    await run.each('describeGroups', () => ({ groups: [groupId] }));
    await run.ask('joinGroup', 9, joinOf(groupId, 9, { memberId: first.memberId }), {
      label: 'first',
    });
    const joined = await joining;
    const next = { groupId, generationId: joined.generationId };
    const follower = { ...next, memberId: asked.memberId };
    const leader = { ...next, memberId: first.memberId };
    const syncing = run.ask('syncGroup', 5, syncOf(follower, 5, []), { on: second });
    await run.ask('heartbeat', 4, leader);
    await run.ask('syncGroup', 5, syncOf(leader, 5, [leader.memberId, follower.memberId]));
    await syncing;
    await run.ask('describeGroups', 6, { groups: [groupId] });
    await run.ask('leaveGroup', 5, leaveOf(follower, 5));
    await run.until(['heartbeat', 4, leader], ({ errorCode }) => errorCode !== 0);
    await run.ask('joinGroup', 9, joinOf(groupId, 9, { memberId: leader.memberId }));
  },

  async 'a group that is full'(run) {
    const first = await joinAlone(run, run.fresh('group'), 9);
    const { groupId, memberId } = first;
    const joining = [];
    for (let i = 0; i < 2; i++) {
      const on = await run.connect();
      const asked = await on.call('joinGroup', 9, joinOf(groupId, 9));
      joining.push(on.call('joinGroup', 9, joinOf(groupId, 9, { memberId: asked.memberId })));
    }
    await run.until(
      ['describeGroups', 5, { groups: [groupId] }],
      ({ groups: [group] }) => group?.members.length === 3,
    );
    await run.ask('joinGroup', 9, joinOf(groupId, 9, { memberId }));
    await Promise.all(joining);
    await run.each('joinGroup', (version) => joinOf(groupId, version));
  },

  async 'ListGroups with filters'(run) {
    const member = await stable(run);
    const empty = await stable(run);
    await run.ask('leaveGroup', 5, leaveOf(empty, 5));
    const own = (groups: readonly { groupId: string }[]) =>
      groups.filter(({ groupId }) => [member.groupId, empty.groupId].includes(groupId));
    for (const version of run.versions('listGroups')) {
      const filters =
        version < 4
          ? [{}]
          : [
              {},
              { statesFilter: ['Stable'] },
              { statesFilter: ['empty'] },
              { statesFilter: ['no'] },
            ];
      const types =
        version < 5
          ? []
          : [{ typesFilter: ['classic'] }, { typesFilter: ['consumer'] }, { typesFilter: ['no'] }];
      for (const filter of [...filters, ...types]) {
        const response = await run.prepare('listGroups', version, filter);
        run.note(
          'listGroups',
          version,
          { ...response, groups: own(response.groups) },
          JSON.stringify(filter),
        );
      }
    }
  },

  async 'DescribeGroups with the authorized operations'(run) {
    const member = await stable(run);
    for (const version of [3, 4, 5, 6])
      await run.ask('describeGroups', version, {
        groups: [member.groupId, run.fresh('group')],
        includeAuthorizedOperations: true,
      });
    await run.each('describeGroups', () => ({ groups: [] }));
    await run.each('deleteGroups', () => ({ groupsNames: [] }));
  },

  async 'a group whose only member times out of its rebalance'(run) {
    const first = await stable(run, { rebalanceTimeoutMs: 200 });
    const second = await run.connect();
    const asked = await run.ask('joinGroup', 9, joinOf(first.groupId, 9), { on: second });
    const rejoining = { memberId: asked.memberId, rebalanceTimeoutMs: 200 };
    const joined = await run.ask('joinGroup', 9, joinOf(first.groupId, 9, rejoining), {
      on: second,
    });
    const member = {
      groupId: first.groupId,
      memberId: asked.memberId,
      generationId: joined.generationId,
    };
    await run.ask('syncGroup', 5, syncOf(member, 5));
    await run.each('heartbeat', () => first);
    await run.ask('describeGroups', 5, { groups: [first.groupId] });
  },
};
