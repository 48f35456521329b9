/** A call of the API: its address, its schemas and its handler in one piece, so that no route can be without a schema. */
import type { Context } from 'koa'
import type { z } from 'zod'
import type { SizedStream } from '../attachments/octets.js'
import type { AuthContext } from '../caller.js'
import { AppError, type ErrorCode } from '../errors.js'
import type { RuleName } from '../limits/rules.js'
import type { Services } from '../services.js'
import { clientName } from './client-name.js'
import type { SessionCookies } from './cookies.js'
import type { Guarded } from './guards.js'
import { answerOctets, type Incoming, incomingOctets, whileReceiving } from './octets.js'

type Shape = z.ZodType | undefined
type Out<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined

/** What a handler gets: everything validated. */
export interface Input<Params extends Shape, Query extends Shape, Body extends Shape> {
  params: Out<Params>
  query: Out<Query>
  body: Out<Body>
  caller: AuthContext
  cookies: SessionCookies
  /** What the caller uses, for people: `Firefox on Windows`, or empty. */
  client: string
  /** The body of a call that takes octets. */
  octets: Incoming
  /** A request header, or undefined. */
  header: (name: string) => string | undefined
  method: string
}

export interface Call<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Body extends Shape = Shape,
  Answer extends Shape = Shape,
  Answers extends 'octets' | 'redirect' | undefined = 'octets' | 'redirect' | undefined,
> extends Guarded {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** As @koa/router and OpenAPI-with-colons write it. */
  path: string
  /** One line for the reference. */
  summary: string
  params?: Params
  query?: Query
  headers?: Record<string, z.ZodType>
  body?: Body
  /** Larger bodies than the usual 64 KiB, in bytes. */
  bodyLimit?: number
  /** Its body is bytes, which the handler reads. */
  takes?: 'octets'
  /** Its answer is bytes, or the address where a browser goes next. */
  answers?: Answers
  /** Status of success; 204 has no answer. */
  status: 200 | 201 | 204 | 303
  answer?: Answer
  /** How often it may be made: see core/limits/rules.ts. */
  limit?: RuleName
  /** What it may fail with, beside `request.*` and `server.*`. */
  errors?: ErrorCode[]
  handle(
    input: Input<Params, Query, Body>,
    services: Services,
  ): Promise<
    Answers extends 'octets'
      ? SizedStream
      : Answers extends 'redirect'
        ? string
        : Answer extends z.ZodType
          ? z.input<Answer>
          : void
  >
}

/** Returns its argument; it exists so that `handle` is typed from the schemas. */
export function call<
  P extends Shape,
  Q extends Shape,
  B extends Shape,
  A extends Shape,
  O extends 'octets' | 'redirect' | undefined = undefined,
>(definition: Call<P, Q, B, A, O>): Call<P, Q, B, A, O> {
  return definition
}

/** Validates a request, runs the handler, writes the answer. Throws AppError `request.invalid` naming the field. */
export async function answerCall(call: Call, ctx: Context, services: Services): Promise<void> {
  // A path that cannot name anything is answered like a name of nothing.
  const params = call.params?.safeParse(ctx.params)
  if (params && !params.success)
    throw new AppError(call.errors?.find((code) => code.endsWith('.not_found')) ?? 'request.not_found')
  const input = {
    params: params?.data as never,
    query: validate(call.query, { ...ctx.query }) as never,
    body: validate(call.body, ctx.request.body) as never,
    octets: (call.takes ? incomingOctets(ctx) : undefined) as never,
    caller: ctx.state.caller,
    cookies: ctx.state.cookies,
    client: clientName(ctx.get('user-agent')),
    header: (name: string) => validateHeader(call, name, ctx.get(name)),
    method: ctx.method,
  }
  const handle = () => call.handle(input, services)
  const answer = call.takes ? await whileReceiving(ctx, input.octets, handle) : await handle()
  ctx.status = call.status
  if (call.answers === 'octets') return answerOctets(ctx, answer as SizedStream)
  if (call.answers === 'redirect') return ctx.set('Location', answer as string)
  // Through the schema, so that nothing leaves that the reference does not name.
  if (call.answer && ctx.method !== 'HEAD') ctx.body = call.answer.parse(answer)
}

function validate(schema: Shape, value: unknown): unknown {
  const parsed = schema?.safeParse(value ?? {})
  if (!parsed || parsed.success) return parsed?.data
  throw invalid(parsed.error.issues)
}

function validateHeader(call: Call, name: string, value: string): string | undefined {
  if (value === '') return undefined
  const parsed = call.headers?.[name]?.safeParse(value)
  if (!parsed?.success) throw new AppError('request.invalid', { field: name, message: `${name}: is not valid` })
  return String(parsed.data)
}

function invalid([issue]: z.core.$ZodIssue[]): AppError {
  if (issue?.code === 'unrecognized_keys') {
    const field = issue.keys[0] ?? ''
    return new AppError('request.invalid', { field, message: `${field}: is not a known field` })
  }
  const field = issue?.path.join('.') ?? ''
  if (field === '') return new AppError('request.invalid', { message: 'The body must be a JSON object.' })
  return new AppError('request.invalid', { field, message: `${field}: ${issue?.message}` })
}
