import { type Command, command } from '../command.js'
import { HEADER_OPTION, PAGE_OPTIONS, SERVER_OPTION } from '../shared-options.js'
import type {
  AddWebhookFlags,
  ListDeliveriesFlags,
  ListWebhooksFlags,
  RedeliverFlags,
  WebhookFlags,
} from './manage-webhooks.js'

/** The argument of commands for one webhook. */
const ID_ARGUMENT: [name: string, description: string] = ['[id]', 'id from `mayfly webhook list`']

const webhookList = command<ListWebhooksFlags>({
  name: 'webhook list',
  summary: 'list your webhooks, newest first',
  options: [SERVER_OPTION, HEADER_OPTION],
  examples: [['failed webhooks', 'mayfly webhook list | grep failed']],
  run: async ({ io, flags }) => (await import('./manage-webhooks.js')).listWebhooks(flags, io),
})

const webhookAdd = command<AddWebhookFlags>({
  name: 'webhook add',
  summary: 'add a webhook for your secrets and requests and print its signing secret, once',
  argument: ['[url]', 'https URL that receives the events'],
  options: [
    ['--name <name>', 'name of the webhook (default: host of the URL)'],
    ['--events <list>', 'comma-separated event types, such as secret.viewed,request.submitted (default: all)'],
    SERVER_OPTION,
  ],
  examples: [
    [
      'when one of your secrets is opened',
      'mayfly webhook add https://hooks.example.org/mayfly --events secret.viewed',
    ],
    ['keep the signing secret in a file', 'mayfly webhook add https://hooks.example.org/mayfly > signing-secret'],
  ],
  run: async ({ io, flags, args }) => (await import('./manage-webhooks.js')).addWebhook(args[0], flags, io),
})

const webhookRemove = command<WebhookFlags>({
  name: 'webhook remove',
  summary: 'remove a webhook with its waiting events',
  argument: ID_ARGUMENT,
  options: [SERVER_OPTION],
  examples: [['without a question', 'mayfly webhook remove "$ID" --yes']],
  run: async ({ io, flags, args }) => (await import('./manage-webhooks.js')).removeWebhook(args[0], flags, io),
})

const webhookPing = command<WebhookFlags>({
  name: 'webhook ping',
  summary: 'send a test event to a webhook and print the result',
  argument: ID_ARGUMENT,
  options: [SERVER_OPTION],
  examples: [['is the receiver reachable?', 'mayfly webhook ping "$ID"']],
  run: async ({ io, flags, args }) => (await import('./manage-webhooks.js')).pingWebhook(args[0], flags, io),
})

const webhookDeliveries = command<ListDeliveriesFlags>({
  name: 'webhook deliveries',
  summary: 'list the deliveries of a webhook, newest first',
  argument: ID_ARGUMENT,
  options: [SERVER_OPTION, ...PAGE_OPTIONS, HEADER_OPTION],
  examples: [['undelivered events', 'mayfly webhook deliveries "$ID" | grep dead']],
  run: async ({ io, flags, args }) => (await import('./manage-webhooks.js')).listDeliveries(args[0], flags, io),
})

const webhookRedeliver = command<RedeliverFlags>({
  name: 'webhook redeliver',
  summary: 'deliver an event to a webhook again',
  argument: ID_ARGUMENT,
  options: [['--delivery <id>', 'id from `mayfly webhook deliveries`'], SERVER_OPTION],
  examples: [['after the receiver works again', 'mayfly webhook redeliver "$ID" --delivery "$DELIVERY"']],
  run: async ({ io, flags, args }) => (await import('./manage-webhooks.js')).redeliverToWebhook(args[0], flags, io),
})

const webhookRotate = command<WebhookFlags>({
  name: 'webhook rotate',
  summary: 'create a new signing secret and print it, once; the old one also signs for a day',
  argument: ID_ARGUMENT,
  options: [SERVER_OPTION],
  examples: [['keep the signing secret in a file', 'mayfly webhook rotate "$ID" > signing-secret']],
  run: async ({ io, flags, args }) => (await import('./manage-webhooks.js')).rotateSecret(args[0], flags, io),
})

export const webhookCommands: Command[] = [
  webhookList,
  webhookAdd,
  webhookRemove,
  webhookPing,
  webhookDeliveries,
  webhookRedeliver,
  webhookRotate,
]
