import type { Product } from '@pegasus/contracts/products/products'
import type { ReactNode } from 'react'
import { Tag } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { formatDateTime } from '@/lib/format/format.ts'
import { licenseLabel } from '../product-form/license-labels.ts'

/** The fields of a product except price and stock. */
export const ProductDetails = ({ product }: { product: Product }) => (
  <Card title="Product">
    <dl className="divide-y divide-line px-4">
      <Fact name="Slug">{product.slug}</Fact>
      <Fact name="Category">{product.category}</Fact>
      <Fact name="Description">
        <bdi className="whitespace-pre-line">{product.description}</bdi>
      </Fact>
      {product.tags.length > 0 ? (
        <Fact name="Tags">
          <span className="flex flex-wrap gap-1">
            {product.tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
        </Fact>
      ) : null}
      <Fact name="License">{product.license ? licenseLabel(product.license) : 'None: our own design'}</Fact>
      {product.designer || product.designerUrl ? (
        <Fact name="Designer">
          {product.designer ? <bdi>{product.designer} </bdi> : null}
          {product.designerUrl ? (
            <a href={product.designerUrl} target="_blank" rel="noopener noreferrer" className="link">
              {product.designerUrl}
            </a>
          ) : null}
        </Fact>
      ) : null}
      {product.license_override ? (
        <Fact name="Sold against the license">
          <bdi className="whitespace-pre-line">{product.license_override.reason}</bdi>
          <span className="block text-caption text-ink-3">
            {product.license_override.by}, {formatDateTime(product.license_override.at)}
          </span>
        </Fact>
      ) : null}
    </dl>
  </Card>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="flex gap-4 py-2.5">
    <dt className="w-28 shrink-0 text-ink-2">{name}</dt>
    <dd className="min-w-0 flex-1 wrap-anywhere">{children}</dd>
  </div>
)
