import { AUDIT_ACTIONS, type AuditEntry } from '@pegasus/contracts/audit'
import { expect, test } from 'vitest'
import { ACTION_GROUPS } from './audit-groups.ts'
import { describeEntry } from './describe-entry.ts'

const MAXI = { kind: 'user', id: '1', name: 'Maximiliane' } as const
const STRANGER = { kind: 'user', id: null, name: 'Somebody not signed in' } as const

const anEntry = (entry: Partial<AuditEntry>): AuditEntry => ({
  id: '0198c0de-0000-7000-8000-000000000001',
  at: '2026-11-21T06:00:00Z',
  actor: MAXI,
  actor_kind: 'user',
  action: 'session.opened',
  entity: 'account',
  entity_id: '2',
  entity_name: 'J. Okonkwo',
  before: null,
  after: null,
  ip: null,
  request_id: null,
  ...entry,
})

const sentenceOf = (entry: Partial<AuditEntry>): string =>
  describeEntry(anEntry(entry))
    .map((piece) => (typeof piece === 'string' ? piece : `<${piece.name}>`))
    .join('')

const OWN = { entity_id: '1', entity_name: 'Maximiliane' } as const
const KEY = { entity: 'api_key', entity_id: '9', entity_name: 'Workshop printers' } as const

test.each<[Partial<AuditEntry>, string]>([
  [{ action: 'session.opened', after: { method: 'password' } }, '<Maximiliane> signed in'],
  [{ action: 'session.opened', after: { method: 'invite' } }, '<Maximiliane> signed in with an invitation'],
  [
    { action: 'session.opened', after: { method: 'otp' } },
    '<Maximiliane> signed in with a link from an email',
  ],
  [
    { action: 'session.refused', actor: STRANGER, after: { reason: 'wrong_password' } },
    '<Somebody not signed in> tried to sign in as <J. Okonkwo>: wrong password',
  ],
  [
    {
      action: 'session.refused',
      actor: STRANGER,
      entity_id: null,
      entity_name: null,
      after: { reason: 'unknown_name' },
    },
    '<Somebody not signed in> tried to sign in: no account has this name',
  ],
  [{ action: 'session.refused', ...OWN }, '<Maximiliane> entered a wrong password'],
  [{ action: 'session.ended', after: { scope: 'local' } }, '<Maximiliane> signed out'],
  [{ action: 'session.ended', after: { scope: 'others' } }, '<Maximiliane> signed out everywhere else'],
  [
    { action: 'session.ended', actor: STRANGER, after: { reason: 'refresh_token_reused' } },
    'A session of <J. Okonkwo> was ended because two browsers used it',
  ],
  [{ action: 'session.confirmed', after: { by: 'password' } }, '<Maximiliane> confirmed their identity'],
  [{ action: 'session.confirmed', after: { aal: 'aal2' } }, '<Maximiliane> passed the second step'],
  [
    { action: 'account.created', after: { role: 'staff' } },
    '<Maximiliane> created an account for <J. Okonkwo> as staff',
  ],
  [{ action: 'account.signed_up', actor: { ...MAXI, id: '2' } }, '<J. Okonkwo> signed up'],
  [{ action: 'account.invited' }, '<Maximiliane> invited <J. Okonkwo>'],
  [
    { action: 'account.updated', before: { role: 'staff' }, after: { role: 'admin' } },
    '<Maximiliane> changed the role of <J. Okonkwo> from staff to admin',
  ],
  [
    {
      action: 'account.updated',
      before: { role: 'staff', system_access: true },
      after: { role: 'viewer', system_access: false },
    },
    '<Maximiliane> changed the role of <J. Okonkwo> from staff to viewer, and took system access',
  ],
  [
    { action: 'account.updated', before: { system_access: true }, after: { system_access: false } },
    '<Maximiliane> removed system access from <J. Okonkwo>',
  ],
  [
    { action: 'account.updated', before: { approved: true }, after: { approved: false } },
    '<Maximiliane> withdrew the approval of <J. Okonkwo>',
  ],
  [
    { action: 'account.updated', after: { color: 'red' } },
    '<Maximiliane> changed the account of <J. Okonkwo>',
  ],
  [{ action: 'account.deactivated', entity_name: null }, '<Maximiliane> deactivated <2>'],
  [
    { action: 'account.deactivated', after: { is_active: false, declined: true } },
    '<Maximiliane> declined the sign-up of <J. Okonkwo>',
  ],
  [
    { action: 'profile.updated', ...OWN, before: { full_name: 'Maxi' }, after: { full_name: 'Maximiliane' } },
    '<Maximiliane> changed their name from <Maxi> to <Maximiliane>',
  ],
  [
    { action: 'profile.updated', ...OWN, before: { full_name: '' }, after: { full_name: 'Maximiliane' } },
    '<Maximiliane> changed their name from none to <Maximiliane>',
  ],
  [
    { action: 'profile.updated', ...OWN, after: { metadata: 'changed' } },
    '<Maximiliane> changed their profile',
  ],
  [
    { action: 'email.changed', ...OWN, before: { email: 'a@b.de' }, after: { email: 'c@d.de' } },
    '<Maximiliane> changed their email from <a@b.de> to <c@d.de>',
  ],
  [
    { action: 'phone.changed', ...OWN, before: { phone: null }, after: { phone: '15555550100' } },
    '<Maximiliane> changed their phone number from none to <15555550100>',
  ],
  [{ action: 'password.changed', ...OWN }, '<Maximiliane> changed their password'],
  [{ action: 'password.reset' }, '<Maximiliane> reset the password of <J. Okonkwo>'],
  [
    { action: 'identity.linked', ...OWN, after: { provider: 'GitHub' } },
    '<Maximiliane> linked a sign-in with GitHub to their account',
  ],
  [
    { action: 'identity.unlinked', before: { provider: 'GitHub' } },
    '<Maximiliane> unlinked a sign-in with GitHub from the account of <J. Okonkwo>',
  ],
  [{ action: 'factor.removed', entity: 'factor', ...OWN }, '<Maximiliane> removed their second factor'],
  [{ action: 'factor.removed', entity: 'factor' }, '<Maximiliane> removed the second factor of <J. Okonkwo>'],
  [{ action: 'api_key.rotated', ...KEY }, '<Maximiliane> rotated the API key <Workshop printers>'],
  [
    { action: 'access.refused', entity: 'endpoint', entity_id: 'GET /api/audit', entity_name: null },
    '<Maximiliane> was refused at <GET /api/audit>',
  ],
  [
    { action: 'access.refused', ...KEY, after: { reason: 'address' } },
    'The API key <Workshop printers> was refused: used from an address that is not allowed',
  ],
  [
    {
      action: 'media.moved',
      entity: 'media',
      entity_name: 'product-images/b.jpg',
      before: { name: 'product-images/a.jpg' },
      after: { name: 'product-images/b.jpg' },
    },
    '<Maximiliane> moved the media file <a.jpg> to <b.jpg>',
  ],
  [{ action: 'audit.exported', entity: 'audit', entity_id: null }, '<Maximiliane> exported the audit'],
  [
    { action: 'model.published', entity: 'model', entity_name: 'Hook' },
    '<Maximiliane>: model published, <Hook>',
  ],
])('the audit entry %o is described in a sentence', (entry, sentence) => {
  expect(sentenceOf(entry)).toBe(sentence)
})

test("an audit entry's sentence stays readable with any value", () => {
  for (const action of AUDIT_ACTIONS)
    for (const side of [
      null,
      {},
      { role: null, full_name: 7, reason: [], scope: {}, method: '', email: false },
    ])
      for (const actor of [MAXI, STRANGER])
        for (const named of [null, 'constructor']) {
          const entry = { action, actor, before: side, after: side, entity_id: named, entity_name: named }
          expect(sentenceOf(entry)).toMatch(/^.+$/)
          expect(sentenceOf(entry)).not.toMatch(/undefined|null|\[object/)
        }
})

test('every recorded audit action is in a group', () => {
  const grouped = new Set(ACTION_GROUPS.flatMap(({ actions }) => actions))
  expect([...grouped].toSorted()).toEqual([...AUDIT_ACTIONS].toSorted())
})
