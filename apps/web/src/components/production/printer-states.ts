import type { PrinterState } from '@pegasus/contracts/print-queue/printers'
import type { StatusTone } from '@pegasus/contracts/statuses'
import { t } from '@/lib/i18n/messages.ts'

/** Color and label of each state. */
export const STATE_DISPLAY: Readonly<Record<PrinterState, { tone: StatusTone; label: string }>> = {
  available: { tone: 'green', label: t('Available') },
  printing: { tone: 'blue', label: t('Printing') },
  paused: { tone: 'yellow', label: t('Paused') },
  needs_clearing: { tone: 'yellow', label: t('Needs clearing') },
  maintenance: { tone: 'purple', label: t('Maintenance') },
  offline: { tone: 'grey', label: t('Offline') },
  error: { tone: 'red', label: t('Error') },
}
