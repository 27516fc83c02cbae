import type { Page } from '@playwright/test'
import { press, showsAlert, showsHeading, showsWords, type Screen } from './screen.ts'

/** Makes the server respond that this session has not passed the second step yet. */
const secondStepDue = (page: Page) =>
  page.route('**/api/auth/me', (route) =>
    route.fulfill({ status: 403, json: { detail: 'Enter a code.', code: 'insufficient_aal' } }),
  )

export const SIGN_IN_SCREENS: readonly Screen[] = [
  { name: 'Sign in with email', as: null, address: '/login', open: showsHeading('Ops Login') },
  {
    name: 'Sign in with email, nothing typed',
    as: null,
    address: '/login',
    open: async (page) => {
      await press(page, 'Sign In')
      await showsWords('Password is required')(page)
    },
  },
  {
    name: 'Sign in with email, refused',
    as: null,
    address: '/login',
    open: async (page) => {
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.getByRole('textbox', { name: 'Password' }).fill('not a password')
      await press(page, 'Sign In')
      await showsAlert('Invalid login credentials')(page)
    },
  },
  { name: 'Sign up', as: null, address: '/login?view=sign-up', open: showsHeading('Create Ops Account') },
  {
    name: 'Recover',
    as: null,
    address: '/login?view=forgot-password',
    open: showsHeading('Forgot password'),
  },
  {
    name: 'Recover, on its way',
    as: null,
    address: '/login?view=forgot-password',
    open: async (page) => {
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.keyboard.press('Enter')
      await showsWords(/^If an account with this address exists, /)(page)
    },
  },
  {
    name: 'Sign in with a code by email',
    as: null,
    address: '/login?view=code',
    open: showsHeading('Sign in with a code by email'),
  },
  { name: 'Sign in with username', as: null, address: '/legacy-login', open: showsWords('Need Access?') },
  {
    name: 'Sign in with username, refused',
    as: null,
    address: '/legacy-login',
    open: async (page) => {
      await page.getByLabel('Username').fill('nobody')
      await page.getByRole('textbox', { name: 'Password' }).fill('not a password')
      await press(page, 'Sign In')
      await showsAlert('Incorrect username or password.')(page)
    },
  },
  {
    name: 'Sign in after a session that has ended',
    as: null,
    address: '/login',
    // Store an invalid session, as an earlier visit may have left it.
    prepare: (page) => page.evaluate(() => localStorage.setItem('pegasus-ops-auth', '{}')),
    open: showsWords('Your session has ended. Please sign in again.'),
  },
  {
    name: 'Second step',
    as: 'staff',
    address: '/?tab=inventory',
    prepare: secondStepDue,
    open: showsHeading('Enter the code from your authenticator app'),
  },
  {
    name: 'Second step, without the phone',
    as: 'staff',
    address: '/?tab=inventory',
    prepare: secondStepDue,
    open: async (page) => {
      await press(page, 'Use a recovery code instead')
      await press(page, 'Verify')
      await showsAlert('Enter one of your recovery codes.')(page)
    },
  },
  {
    name: 'Choose a new password, by no link',
    as: null,
    address: '/reset-password',
    open: showsHeading('Choose a new password'),
  },
  {
    name: 'Verify, by a used link',
    as: null,
    address: '/verify-email#error=access_denied&error_code=otp_expired',
    open: showsAlert('Email link is invalid or has expired'),
  },
  {
    name: 'Verify, waiting for approval',
    as: null,
    address: '/verify-email#message=Confirmation',
    open: showsHeading('Email confirmed'),
  },
  {
    name: 'Verify, approved already',
    as: null,
    address: '/verify-email#message=Ready&account=ready',
    open: showsHeading('Account ready'),
  },
]
