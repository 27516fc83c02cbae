import type { ProductCategory } from '@pegasus/contracts/products/product-rules'
import { t } from '@/lib/i18n/messages.ts'

export const CATEGORY_LABELS: Readonly<Record<ProductCategory, string>> = {
  miniatures: t('miniatures'),
  terrain: t('terrain'),
  accessories: t('accessories'),
  tools: t('tools'),
  other: t('other'),
}

export const categoryLabel = (category: string): string =>
  (CATEGORY_LABELS as Readonly<Record<string, string>>)[category] ?? category
