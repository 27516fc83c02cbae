import { t } from '@/lib/i18n/messages.ts'

/**
 * Returns what is wrong with a typed email address of a customer, or null if it can be one. An empty text is valid.
 * Letters of every script are allowed, because only the customer's mail server knows its addresses.
 */
export const emailProblem = (text: string): string | null =>
  /^([^\s@]+@[^\s@]+)?$/.test(text.trim()) ? null : t('Enter an email address such as ada@example.com.')
