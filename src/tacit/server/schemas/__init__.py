"""The requests and responses of the REST API, as its OpenAPI document describes them."""
