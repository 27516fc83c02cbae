import type { STATUS_DISPLAY } from '@pegasus/contracts/statuses'
import { t } from './messages.ts'

/** The label of every status. */
export const STATUS_LABELS: Readonly<Record<keyof typeof STATUS_DISPLAY, string>> = {
  'In Stock': t('In Stock'),
  'Low Stock': t('Low Stock'),
  'Out of Stock': t('Out of Stock'),
  'On Hold': t('On Hold'),
  Reserved: t('Reserved'),
  pending: t('Pending'),
  in_progress: t('In progress'),
  on_hold: t('On hold'),
  completed: t('Completed'),
  cancelled: t('Cancelled'),
  failed: t('Failed'),
  active: t('Active'),
  low: t('Low'),
  empty: t('Empty'),
  archived: t('Archived'),
  not_published: t('Not published'),
  publishing: t('Publishing'),
  sending: t('Sending'),
  published: t('Published'),
}
