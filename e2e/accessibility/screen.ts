import type { Role } from '@pegasus/contracts/roles'
import { expect, type Locator, type Page } from '@playwright/test'
import type { FilledShop } from '../support/staffed-shop.ts'

/** A screen of the app. The lists in this folder contain every screen that people can reach. */
export interface Screen {
  /** The name of the screen in the report of faults. */
  name: string
  /** The role that sees the screen, or null if nobody is signed in. */
  as: Role | null
  address: string | ((shop: FilledShop) => string)
  /** Runs before the address is opened, to change the server's responses or what the browser has stored. */
  prepare?: (page: Page) => Promise<unknown>
  /** Performs the remaining steps after the address is opened, and waits until the screen is visible. */
  open: (page: Page) => Promise<unknown>
  /** The only project in which the screen exists. Without it, the screen exists in both. */
  only?: 'desktop' | 'phone'
}

/** Returns a function that waits for an element. The element shows that a screen is ready. */
export const shows = (find: (page: Page) => Locator) => (page: Page) =>
  expect(find(page).first()).toBeVisible()

export const showsHeading = (name: string | RegExp) => shows((page) => page.getByRole('heading', { name }))
export const showsWords = (text: string | RegExp) => shows((page) => page.getByText(text))
export const showsAlert = (text: string | RegExp) =>
  shows((page) => page.getByRole('alert').filter({ hasText: text }))

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
export const press = (page: Page, name: string): Promise<void> => button(page, name).click()

/** Makes the server respond to an address with an error. */
export const failing = (address: string) => (page: Page) =>
  page.route(address, (route) =>
    route.fulfill({ status: 503, json: { detail: 'The database cannot be reached at the moment.' } }),
  )

/** Leaves all requests to an address without a response. */
export const neverAnswering = (address: string) => (page: Page) => page.route(address, () => {})

/** Makes the server respond that it has a slicer, and one slicer profile. */
export const withSlicer = (page: Page) =>
  page.route('**/api/slicer-profiles', (route) =>
    route.fulfill({
      json: {
        is_available: true,
        profiles: [
          {
            id: '01890000-0000-7000-8000-000000000001',
            name: 'Draft, 0.3 mm',
            printer_model: null,
            nozzle_mm: 0.4,
            material: 'PLA',
            layer_height_mm: 0.3,
            revision: 1,
            created_at: '2026-01-05T02:00:00Z',
            updated_at: '2026-01-05T02:00:00Z',
            deleted_at: null,
          },
        ],
      },
    }),
  )

/** Makes an address unreachable. */
export const cutOff = (address: string) => (page: Page) => page.route(address, (route) => route.abort())
