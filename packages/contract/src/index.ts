export { ERRORS, type ErrorCode, type ErrorRow, errorType, type FieldError } from './errors.ts';
