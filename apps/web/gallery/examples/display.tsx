import { Package } from 'lucide-react'
import { ROLES } from '@pegasus/contracts/roles'
import { STATUS_DISPLAY } from '@pegasus/contracts/statuses'
import { Property, PropertyList } from '@/components/property-list.tsx'
import { MediaPicture } from '@/components/media-picture.tsx'
import { PageHead } from '@/components/page-head.tsx'
import { CostComparison } from '@/components/production/cost-comparison.tsx'
import { ProductionCard } from '@/components/production/production-card.tsx'
import { TodayList } from '@/components/today/today-list.tsx'
import { Avatar } from '@/components/ui/display/avatar.tsx'
import { PriorityBadge, ProductBadge, RoleBadge, StatusBadge, Tag } from '@/components/ui/display/badge.tsx'
import { Card } from '@/components/ui/display/card.tsx'
import { ColorDot } from '@/components/ui/display/color-dot.tsx'
import { Kbd } from '@/components/ui/display/kbd.tsx'
import { LogoMark } from '@/components/ui/display/logo.tsx'
import { PartPicture } from '@/components/ui/display/part-picture.tsx'
import type { ExampleGroup } from '../example.tsx'

const LONG_TITLE = 'Wall hook, left-hand mirror, reinforced for the heaviest of all coats (rev. C)'

const content = (
  <p className="flex items-center gap-2 p-4">
    <Package size={16} aria-hidden /> Content of the card
  </p>
)

const dragons = {
  key: 'dragons',
  label: 'Dragon',
  plates: 2,
  good: 7,
  bad: 1,
  yield: 0.875,
  planned_grams: 240,
  used_grams: 251,
  planned_minutes: 390,
  print_minutes: 402,
  jobs: 1,
  cost: 12.4,
  compared_jobs: 1,
  planned_cost: 11,
  compared_cost: 12.4,
  failed_jobs: 0,
  failure_cost: null,
  unknown_cost_jobs: 0,
  cost_is_measured: true,
}

export const DISPLAY: readonly ExampleGroup[] = [
  {
    component: 'TodayList',
    examples: [
      {
        name: 'What needs a person, with its next step',
        isWide: true,
        show: (
          <TodayList
            label="Needs you today"
            rows={[
              {
                id: 'job',
                kind: 'job',
                title: 'Wall hook failed',
                detail: 'Warped corners',
                to: '?job=1',
                action: { label: 'Requeue', to: '?job=1' },
                isUrgent: true,
              },
              {
                id: 'item',
                kind: 'stock',
                title: 'Letter tray is low',
                detail: '2 left, reorder point 5',
                to: '?item=1',
                action: null,
                isUrgent: false,
              },
            ]}
          />
        ),
      },
    ],
  },
  {
    component: 'CostComparison',
    examples: [
      { name: 'Over plan', show: <CostComparison figures={dragons} /> },
      {
        name: 'Plan not known',
        show: (
          <CostComparison
            figures={{ ...dragons, compared_jobs: 0, planned_cost: null, compared_cost: null }}
          />
        ),
      },
    ],
  },
  {
    component: 'ProductionCard',
    examples: [
      { name: 'One item', show: <ProductionCard rows={[dragons]} /> },
      {
        name: 'Two items, one without figures',
        show: (
          <ProductionCard
            rows={[
              dragons,
              {
                ...dragons,
                key: 'hooks',
                label: LONG_TITLE,
                yield: null,
                planned_grams: null,
                used_grams: null,
                planned_minutes: null,
                print_minutes: null,
                jobs: 3,
                cost: 31.9,
                compared_jobs: 2,
                planned_cost: 22,
                compared_cost: 21.5,
                failed_jobs: 1,
                failure_cost: 3.1,
                cost_is_measured: false,
              },
            ]}
          />
        ),
      },
    ],
  },
  {
    component: 'StatusBadge',
    examples: [
      {
        name: 'Every status',
        isWide: true,
        show: (
          <div className="flex flex-wrap gap-2">
            {Object.keys(STATUS_DISPLAY).map((status) => (
              <StatusBadge key={status} status={status} />
            ))}
          </div>
        ),
      },
    ],
  },
  {
    component: 'RoleBadge',
    examples: [
      {
        name: 'Every role',
        show: (
          <div className="flex flex-wrap gap-2">
            {ROLES.map((role) => (
              <RoleBadge key={role} role={role} />
            ))}
          </div>
        ),
      },
    ],
  },
  {
    component: 'PriorityBadge, Tag and ProductBadge',
    examples: [
      {
        name: 'Priorities and tags',
        show: (
          <div className="flex flex-wrap items-center gap-2">
            <PriorityBadge priority={1} />
            <PriorityBadge priority={3} />
            <Tag>office</Tag>
            <Tag>a rather long tag of several words</Tag>
            <ProductBadge isOnSurface />
          </div>
        ),
      },
    ],
  },
  {
    component: 'Card',
    examples: [
      {
        name: 'With a title',
        show: (
          <Card title="Details" aside="3 fields">
            {content}
          </Card>
        ),
      },
      { name: 'Without a title', show: <Card>{content}</Card> },
    ],
  },
  {
    component: 'PageHead',
    examples: [
      {
        name: 'Long title',
        isWide: true,
        show: <PageHead backTo="/" backLabel="Inventory" title={LONG_TITLE} aside={<Tag>rev. C</Tag>} />,
      },
    ],
  },
  {
    component: 'PropertyList',
    examples: [
      {
        name: 'With units',
        show: (
          <PropertyList>
            <Property name="Available" unit="pieces">
              37
            </Property>
            <Property name="Price">$18.50</Property>
          </PropertyList>
        ),
      },
    ],
  },
  {
    component: 'Avatar',
    examples: [
      {
        name: 'Names in several scripts',
        show: (
          <div className="flex gap-2">
            <Avatar name="Maximiliane von Hohenberg" />
            <Avatar name="yamanaka.keisuke" />
            <Avatar name="حامل كاميرا" />
          </div>
        ),
      },
    ],
  },
  {
    component: 'ColorDot',
    examples: [
      {
        name: 'A color, white, and an unknown color',
        show: (
          <div className="flex items-center gap-3">
            <ColorDot hex="#E8641B" />
            <ColorDot hex="#FFFFFF" />
            <ColorDot hex={null} />
          </div>
        ),
      },
    ],
  },
  { component: 'Kbd', examples: [{ name: 'A key', show: <Kbd>Ctrl K</Kbd> }] },
  { component: 'LogoMark', examples: [{ name: 'Default size', show: <LogoMark /> }] },
  {
    component: 'PartPicture',
    examples: [
      { name: 'Picture', show: <PartPicture src="/sign-in-part.webp" alt="Gearbox" className="size-24" /> },
      {
        name: 'Tinted with the color of a filament',
        show: <PartPicture src="/sign-in-part.webp" tint="#E8641B" alt="Gearbox" className="size-24" />,
      },
      { name: 'Without a picture', show: <PartPicture src={null} className="size-24" /> },
    ],
  },
  {
    component: 'MediaPicture',
    examples: [
      { name: 'Picture', show: <MediaPicture src="/sign-in-part.webp" alt="Gearbox" className="size-24" /> },
    ],
  },
]
