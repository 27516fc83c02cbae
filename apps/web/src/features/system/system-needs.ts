import type { BackupStatus } from '@pegasus/contracts/backups'
import type { Channel } from '@pegasus/contracts/channels/channels'
import type { FailedTask, PrintersAndShops, SystemStatus } from '@pegasus/contracts/system'
import { t } from '@/lib/i18n/messages.ts'

/** Share of free disk space below which the page shows a warning. */
export const LITTLE_ROOM = 0.1

/** The parts of the System page to which a need can lead. */
export type SystemSection = 'failed-tasks' | 'backups' | 'server' | 'servers' | 'shops'

/** Something that an administrator has to look at. */
export interface SystemNeed {
  text: string
  /** The address of the page that helps, or the part of the System page. */
  to: { address: string } | { section: SystemSection }
}

/** The state of the installation, as the server reports it. */
export interface SystemFindings {
  system: SystemStatus
  failedTasks: readonly FailedTask[]
  backups: BackupStatus
  channels: readonly Channel[]
  printersAndShops: PrintersAndShops
}

/** The address that opens the delivery log of a channel. */
export const channelAddress = (id: string): string => `/?tab=system&channel=${encodeURIComponent(id)}`

/**
 * Lists what an administrator has to look at, the most urgent first. A finding that is not known is undefined. The list
 * is empty if nothing known is wrong.
 */
export function listSystemNeeds(
  findings: {
    [Finding in keyof SystemFindings]: SystemFindings[Finding] | undefined
  },
): SystemNeed[] {
  const { system, failedTasks, backups, channels, printersAndShops } = findings
  return [
    ...(system ? serverNeeds(system) : []),
    ...(backups ? backupNeeds(backups) : []),
    ...(failedTasks ? taskNeeds(failedTasks) : []),
    ...(printersAndShops ? [...shopNeeds(printersAndShops), ...printerNeeds(printersAndShops)] : []),
    ...(system ? mailNeeds(system) : []),
    ...(channels ?? []).flatMap(channelNeeds),
  ]
}

function serverNeeds({ servers, storage, malware_scanner: scanner }: SystemStatus): SystemNeed[] {
  const { free_bytes: free, total_bytes: total } = storage
  const isFull = free !== null && total !== null && total > 0 && free / total < LITTLE_ROOM
  return [
    ...need(
      !servers.some(({ role }) => role !== 'web'),
      t('No server is running for background work.'),
      'servers',
    ),
    ...need(
      storage.is_shared,
      t('Another database uses the same file storage, so no files are deleted.'),
      'server',
    ),
    ...need(isFull, t('The disk is almost full.'), 'server'),
    ...need(scanner === 'failed', t('The malware scanner does not respond, so uploads fail.'), 'server'),
  ]
}

const backupNeeds = ({ last_good: last, is_late: isLate }: BackupStatus): SystemNeed[] =>
  last === null
    ? need(true, t('No backup was made yet.'), 'backups')
    : need(isLate, t('The last backup is too old.'), 'backups')

function taskNeeds(tasks: readonly FailedTask[]): SystemNeed[] {
  const gaveUp = tasks.filter(({ state }) => state === 'gave_up').length
  return need(
    gaveUp > 0,
    t('{count, plural, one {# task} other {# tasks}} gave up.', { count: gaveUp }),
    'failed-tasks',
  )
}

const shopNeeds = ({ shops }: PrintersAndShops): SystemNeed[] =>
  shops.flatMap(
    ({
      is_failing: isFailing,
      refused_orders: orders,
      refused_parcels: parcels,
      unchecked_products: products,
    }) => [
      ...need(isFailing, t('The orders of the shop cannot be fetched.'), 'shops'),
      ...need(
        orders > 0,
        t('{count, plural, one {# order} other {# orders}} of the shop could not be imported.', {
          count: orders,
        }),
        { address: '/?tab=orders' },
      ),
      ...need(
        parcels > 0,
        t('The shop did not accept {count, plural, one {# parcel} other {# parcels}}.', { count: parcels }),
        'shops',
      ),
      ...need(
        products > 0,
        t('{count, plural, one {# product} other {# products}} could not be compared with the shop.', {
          count: products,
        }),
        { address: '/?tab=products' },
      ),
    ],
  )

const printerNeeds = ({ printers: { error } }: PrintersAndShops): SystemNeed[] =>
  need(
    error > 0,
    t('{count, plural, one {# printer has} other {# printers have}} an error.', { count: error }),
    {
      address: '/?tab=print-queue&view=printers',
    },
  )

const mailNeeds = ({ mail: { unsent } }: SystemStatus): SystemNeed[] =>
  need(
    unsent > 0,
    t('{count, plural, one {# email waits} other {# emails wait}} in the outbox.', { count: unsent }),
    { address: '/?tab=people&view=outbox' },
  )

const channelNeeds = ({ id, name, failed, disabled_reason: reason }: Channel): SystemNeed[] => [
  ...need(reason !== null, t('The channel {name} was switched off.', { name }), {
    address: channelAddress(id),
  }),
  ...need(
    failed > 0,
    t('{count, plural, one {# delivery} other {# deliveries}} to {name} failed.', { count: failed, name }),
    { address: channelAddress(id) },
  ),
]

const need = (isNeeded: boolean, text: string, to: SystemSection | { address: string }): SystemNeed[] =>
  isNeeded ? [{ text, to: typeof to === 'string' ? { section: to } : to }] : []
