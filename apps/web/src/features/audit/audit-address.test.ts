import { expect, test } from 'vitest'
import { auditQuery, NO_FILTERS, readFilters, withFilters, withOpenEntry } from './audit-address.ts'

const read = (address: string) => readFilters(new URLSearchParams(address))
const ID = '0198c0de-0000-7000-8000-000000000001'

test('audit filters are read from the URL, sent to the server, and written back to the URL unchanged', () => {
  const address = `tab=audit&search=okonkwo&action=refusals&actor=${ID}&about=${ID}&from=2026-11-01&to=2026-11-21`
  const filters = read(address)
  expect(withFilters(new URLSearchParams('tab=audit'), filters).toString()).toBe(
    `tab=audit&search=okonkwo&actor=${ID}&about=${ID}&from=2026-11-01&to=2026-11-21&action=refusals`,
  )
  expect(auditQuery(filters)).toEqual({
    search: 'okonkwo',
    action: 'session.refused,factor.refused,access.refused,malware.refused',
    actor: ID,
    entity_id: ID,
    from: new Date(2026, 10, 1).toISOString(),
    to: new Date(2026, 10, 22).toISOString(),
  })
})

test.each([
  'action=nonsense',
  'actor=me',
  'actor=user',
  'from=yesterday',
  'from=2026-02-30',
  'from=2026-13-01',
  'to=2026-1-1',
  'to=0000-01-01',
  'search=%20',
])('the invalid audit filter %s is ignored', (address) => expect(read(address)).toEqual(NO_FILTERS))

test('the audit log can be filtered by API keys or the system as actor', () => {
  expect(auditQuery(read('actor=api_key'))).toEqual({ actor_kind: 'api_key' })
  expect(auditQuery(read('actor=system'))).toEqual({ actor_kind: 'system' })
})

test('changing the audit filters closes the open entry', () => {
  const open = withOpenEntry(new URLSearchParams('tab=audit'), ID)
  expect(open.get('entry')).toBe(ID)
  expect(withFilters(open, NO_FILTERS).toString()).toBe('tab=audit')
})
