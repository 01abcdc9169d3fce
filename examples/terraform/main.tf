# Creates a pool in a Poolgate on your machine, by the AWS provider of Terraform or OpenTofu.
# Start the service, then set the admin key that it prints: of pg_<id>_<secret>, <id> is the access key and <secret> the secret key.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 6.0"
    }
  }
}

variable "admin_key_id" {
  type = string
}

variable "admin_key_secret" {
  type      = string
  sensitive = true
}

provider "aws" {
  region     = "us-east-1"
  access_key = var.admin_key_id
  secret_key = var.admin_key_secret

  endpoints {
    cognitoidp = "http://localhost:3000"
    sts        = "http://localhost:3000"
  }
}

resource "aws_cognito_user_pool" "shop" {
  name                     = "shop"
  username_attributes      = ["email"]
  auto_verified_attributes = ["email"]
  mfa_configuration        = "OPTIONAL"

  software_token_mfa_configuration {
    enabled = true
  }

  tags = {
    team = "shop"
  }
}

resource "aws_cognito_user_pool_client" "web" {
  name                = "web"
  user_pool_id        = aws_cognito_user_pool.shop.id
  explicit_auth_flows = ["ALLOW_USER_SRP_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"]
}

resource "aws_cognito_user_pool_domain" "shop" {
  domain       = "shop-terraform"
  user_pool_id = aws_cognito_user_pool.shop.id
}

resource "aws_cognito_user_group" "crew" {
  name         = "crew"
  user_pool_id = aws_cognito_user_pool.shop.id
  precedence   = 1
}

output "user_pool_id" {
  value = aws_cognito_user_pool.shop.id
}
