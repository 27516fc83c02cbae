import { isOrderSource, type OrderSource } from '@pegasus/contracts/orders/orders'
import { t } from '@/lib/i18n/messages.ts'

const SOURCES: Readonly<Record<OrderSource, string>> = {
  main_site: t('Main site'),
  integration: t('Integration'),
  manual: t('Entered by hand'),
}

/** Returns the name of an order's source. A shop's own name stays as it is. */
export const sourceText = (source: string): string => (isOrderSource(source) ? SOURCES[source] : source)
