import type { Channel } from '@pegasus/contracts/channels/channels'
import type { FailedTask, ShopState } from '@pegasus/contracts/system'
import { describe, expect, it } from 'vitest'
import { type SystemFindings, listSystemNeeds } from './system-needs.ts'

const MOMENT = '2026-11-01T10:00:00.000Z'

const SHOP: ShopState = {
  kind: 'pegasus',
  url: 'https://shop.example',
  compared_at: MOMENT,
  failed_at: null,
  problem: null,
  is_failing: false,
  refused_orders: 0,
  refused_parcels: 0,
  unchecked_products: 0,
}

/** An installation in which nothing is wrong. */
const healthy = (): SystemFindings => ({
  system: {
    version: '1',
    node_version: '24',
    started_at: MOMENT,
    memory_bytes: 1,
    database: { version: '18', size_bytes: 1, is_embedded: true, connections: 1, migration: '0001' },
    storage: { kind: 'folder', free_bytes: 50, total_bytes: 100, is_shared: false },
    malware_scanner: 'off',
    mail: { delivery: 'smtp', unsent: 0 },
    servers: [
      { id: '1', role: 'all', host: 'a', version: '1', store: '/', started_at: MOMENT, seen_at: MOMENT },
    ],
    queues: [],
  },
  failedTasks: [],
  backups: {
    folder: '/',
    is_encrypted: false,
    schedule: { every_hours: 24, keep: 7 },
    next_at: null,
    is_late: false,
    last_good: {
      id: '1',
      cause: 'person',
      state: 'done',
      began_at: MOMENT,
      ended_at: MOMENT,
      name: 'a',
      rows: 1,
      files: 1,
      size_bytes: 1,
      failure: null,
    },
    runs: [],
  },
  channels: [],
  printersAndShops: { printers: { total: 2, error: 0, offline: 1, stopped: [] }, shops: [SHOP] },
})

const channel = (change: Partial<Channel>): Channel => ({
  id: 'c1',
  name: 'Chat',
  kind: 'slack',
  shown_address: 'https://chat.example',
  has_access_token: false,
  events: ['low_stock'],
  is_enabled: true,
  disabled_reason: null,
  quiet_hours: null,
  last_delivery: null,
  failed: 0,
  waiting: 3,
  revision: 1,
  created_at: MOMENT,
  updated_at: MOMENT,
  ...change,
})

const task = (state: FailedTask['state']): FailedTask => ({
  id: '1',
  queue: 'mail.send',
  state,
  subject: null,
  subject_path: null,
  attempts: 2,
  failed_at: MOMENT,
  next_attempt_at: null,
  error: 'x',
})

describe('the needs of the System page', () => {
  it('known problems are listed even if another state could not be read', () => {
    const known = { ...healthy(), failedTasks: [task('gave_up')] }
    const unknown = {
      system: undefined,
      backups: undefined,
      channels: undefined,
      printersAndShops: undefined,
    }
    expect(listSystemNeeds({ ...known, ...unknown }).map(({ text }) => text)).toEqual(['1 task gave up.'])
  })

  it('the list of problems is empty while all is well, even if printers are off and deliveries wait', () => {
    expect(
      listSystemNeeds({ ...healthy(), channels: [channel({})], failedTasks: [task('waiting')] }),
    ).toEqual([])
  })

  it('each fault is one sentence that leads to the place where it can be fixed', () => {
    const { system, backups, printersAndShops } = healthy()
    const needs = listSystemNeeds({
      system: {
        ...system,
        servers: system.servers.map((server) => ({ ...server, role: 'web' })),
        storage: { kind: 'folder', free_bytes: 9, total_bytes: 100, is_shared: true },
        malware_scanner: 'failed',
        mail: { delivery: 'outbox', unsent: 2 },
      },
      failedTasks: [task('gave_up'), task('running')],
      backups: { ...backups, is_late: true },
      channels: [channel({ failed: 1, disabled_reason: 'Gone' })],
      printersAndShops: {
        printers: { ...printersAndShops.printers, error: 1 },
        shops: [{ ...SHOP, is_failing: true, refused_orders: 1, refused_parcels: 2, unchecked_products: 3 }],
      },
    })
    const log = { address: '/?tab=system&channel=c1' }
    expect(needs.map(({ text, to }) => [text, to])).toEqual([
      ['No server is running for background work.', { section: 'servers' }],
      ['Another database uses the same file storage, so no files are deleted.', { section: 'server' }],
      ['The disk is almost full.', { section: 'server' }],
      ['The malware scanner does not respond, so uploads fail.', { section: 'server' }],
      ['The last backup is too old.', { section: 'backups' }],
      ['1 task gave up.', { section: 'failed-tasks' }],
      ['The orders of the shop cannot be fetched.', { section: 'shops' }],
      ['1 order of the shop could not be imported.', { address: '/?tab=orders' }],
      ['The shop did not accept 2 parcels.', { section: 'shops' }],
      ['3 products could not be compared with the shop.', { address: '/?tab=products' }],
      ['1 printer has an error.', { address: '/?tab=print-queue&view=printers' }],
      ['2 emails wait in the outbox.', { address: '/?tab=people&view=outbox' }],
      ['The channel Chat was switched off.', log],
      ['1 delivery to Chat failed.', log],
    ])
    const none = listSystemNeeds({ ...healthy(), backups: { ...backups, last_good: null } })
    expect(none.map(({ text }) => text)).toEqual(['No backup was made yet.'])
  })
})
