import type { Product } from '@pegasus/contracts/products/products'
import { Detail, DetailList } from '@/components/kit/detail-list.tsx'
import { Tag } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatDateTime } from '@/lib/format/format.ts'
import { licenseLabel } from '../product-form/license-labels.ts'
import { t } from '@/lib/i18n/messages.ts'
import { CATEGORY_LABELS } from '../product-form/category-labels.ts'

/** Shows the fields of a product, except price and stock. */
export const ProductDetails = ({ product }: { product: Product }) => (
  <Card title={t('Product')}>
    <DetailList>
      <Detail name={t('Slug')}>{product.slug}</Detail>
      <Detail name={t('Category')}>
        <span className="block first-letter:uppercase">{CATEGORY_LABELS[product.category]}</span>
      </Detail>
      <Detail name={t('Description')}>{product.description}</Detail>
      {product.tags.length > 0 ? (
        <Detail name={t('Tags')}>
          <span className="flex flex-wrap gap-1">
            {product.tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
        </Detail>
      ) : null}
      <Detail name={t('License')}>
        {product.license ? licenseLabel(product.license) : t('None: our own design')}
      </Detail>
      {product.designer || product.designerUrl ? (
        <Detail name={t('Designer')}>
          {product.designer ? <bdi>{product.designer} </bdi> : null}
          {product.designerUrl ? (
            <a href={product.designerUrl} target="_blank" rel="noopener noreferrer" className="link">
              {product.designerUrl}
            </a>
          ) : null}
        </Detail>
      ) : null}
      {product.license_override ? (
        <Detail name={t('Sold against the license')}>
          <bdi className="whitespace-pre-line">{product.license_override.reason}</bdi>
          <span className="block text-caption text-ink-3">
            {product.license_override.by}, {formatDateTime(product.license_override.at)}
          </span>
        </Detail>
      ) : null}
    </DetailList>
  </Card>
)
