import { expect, test } from 'vitest'
import { changedFields } from './audit-values.ts'

test('audited fields are shown with readable names and with their values before and after', () => {
  const before = { role: 'staff', system_access: false, scope: [], gone: '' }
  const after = {
    role: 'admin',
    system_access: true,
    scope: ['integration', 'print-jobs'],
    made: null,
    count: 1200,
  }
  expect(changedFields({ before, after })).toEqual([
    { label: 'Role', before: 'staff', after: 'admin' },
    { label: 'System access', before: 'no', after: 'yes' },
    { label: 'Scope', before: 'none', after: 'integration, print-jobs' },
    { label: 'Gone', before: 'none', after: null },
    { label: 'Made', before: null, after: 'none' },
    { label: 'Count', before: null, after: '1,200' },
  ])
})

test('nested audit values are shown in one cell, without programming syntax', () => {
  const after = JSON.parse(
    '{"mails":[{"to":"a@b.de","subject":"Hi"}],"__proto__":"x","constructor":"y"}',
  ) as Record<string, unknown>
  expect(changedFields({ before: {}, after })).toEqual([
    { label: 'Mails', before: null, after: 'To: a@b.de, Subject: Hi' },
    { label: '  proto  ', before: null, after: 'x' },
    { label: 'Constructor', before: null, after: 'y' },
  ])
  expect(changedFields({ before: null, after: null })).toEqual([])
})
