import {
  ALERT_RETENTION_DAYS,
  type Alert,
  type AlertChoices,
  type AlertPreferences,
  type AlertPreferencesChange,
  ALERT_KINDS,
} from '@pegasus/contracts/alerts/alerts'
import { type Clock, DAY_MS, addMs } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors/app-error.ts'
import { COUNT_CAP, type Page, decodeCursor, toPage } from '../../platform/http/paging.ts'
import { assertRevision } from '../../platform/errors/assert-revision.ts'
import { countInbox, deleteAlertsBefore, listInbox, markRead, markReadUpTo } from './alerts.queries.ts'
import { type StoredChoices, completeChoices } from './alert-choices.ts'
import {
  type PreferencesRow,
  findPreferences,
  lockPreferences,
  savePreferences,
} from './alert-preferences.queries.ts'

/** The account whose inbox is read. */
interface Reader {
  id: string
  role: string
}

export interface Alerts {
  /** Lists the alerts in the reader's inbox. Throws INVALID_INPUT for a cursor of another list. */
  list(
    reader: Reader,
    query: { unreadOnly: boolean; cursor?: string | undefined; limit: number },
  ): Promise<Page<Alert>>
  countUnread(reader: Reader): Promise<number>
  /** Marks an alert as read. Throws ALERT_NOT_FOUND if the alert is not in the reader's inbox. */
  read(reader: Reader, alertId: string): Promise<void>
  /**
   * Marks an alert and all earlier ones as read. Throws ALERT_NOT_FOUND if the alert is not in the reader's
   * inbox.
   */
  readUpTo(reader: Reader, alertId: string): Promise<void>
  getPreferences(reader: Reader): Promise<AlertPreferences>
  /**
   * Changes the preferences. `revision` comes from `If-Match`; null accepts any revision. Throws PRECONDITION_FAILED.
   */
  choose(reader: Reader, change: AlertPreferencesChange, revision: number | null): Promise<AlertPreferences>
  /** Deletes alerts older than 90 days. Called every hour. */
  purge(): Promise<void>
}

const present = (row: PreferencesRow, role: string): AlertPreferences => ({
  choices: completeChoices(role, row.choices),
  revision: row.revision,
})

const merge = (before: AlertChoices, row: PreferencesRow, change: AlertPreferencesChange): StoredChoices => {
  const next: StoredChoices = {}
  for (const kind of ALERT_KINDS) {
    const { in_app: inApp = before[kind].in_app, by_mail: byMail = before[kind].by_mail } = change[kind] ?? {}
    const byPush = change[kind]?.by_push ?? row.choices?.[kind]?.by_push
    next[kind] = { in_app: inApp, by_mail: byMail, ...(byPush !== undefined && { by_push: byPush }) }
  }
  return next
}

export function createAlerts({ database, clock }: { database: Database; clock: Clock }): Alerts {
  const { sql } = database
  const mustBeThere = (isThere: boolean): void => {
    if (!isThere) throw new AppError('ALERT_NOT_FOUND')
  }

  return {
    async list({ id }, { unreadOnly, cursor, limit }) {
      const [rows, total] = await Promise.all([
        listInbox(sql, id, { unreadOnly, cursor: decodeCursor(cursor), limit }),
        countInbox(sql, id, unreadOnly),
      ])
      return toPage([...rows], limit, total)
    },

    countUnread: async ({ id }) => Math.min(await countInbox(sql, id, true), COUNT_CAP),

    async read({ id }, alertId) {
      mustBeThere(await markRead(sql, { accountId: id, alertId, now: clock.now() }))
    },

    async readUpTo({ id }, alertId) {
      mustBeThere(await markReadUpTo(sql, { accountId: id, alertId, now: clock.now() }))
    },

    getPreferences: async ({ id, role }) => present(await findPreferences(sql, id), role),

    choose: ({ id, role }, change, revision) =>
      database.transaction(async (tx) => {
        await lockPreferences(tx, id)
        const row = await findPreferences(tx, id)
        const before = present(row, role)
        assertRevision(revision, before, () => before)
        const choices = merge(before.choices, row, change)
        const saved = await savePreferences(tx, { accountId: id, choices, now: clock.now() })
        return present({ choices, revision: saved }, role)
      }),

    async purge() {
      const before = addMs(clock.now(), -ALERT_RETENTION_DAYS * DAY_MS)
      while (await deleteAlertsBefore(sql, before));
    },
  }
}
