import { All, Body, Controller, Get, Inject, Module, Param, Post, Req, Res } from "@nestjs/common";
import type { Request, Response } from "express";
import { createShop, type Settings } from "./shop";

export const SETTINGS = Symbol("settings");

@Controller()
class ShopController {
  private readonly shop: ReturnType<typeof createShop>;

  constructor(@Inject(SETTINGS) settings: object) {
    this.shop = createShop(settings as Settings);
  }

  @Get("orders/:id")
  show(@Param("id") id: string) {
    return this.shop.show(id);
  }

  @Post("orders/:id")
  async pay(@Param("id") id: string, @Body("token") token?: string) {
    await this.shop.pay(id, token);
    return this.shop.show(id);
  }

  @All("postbacks")
  receive(@Req() request: Request, @Res() response: Response) {
    return this.shop.postbacks.node(request, response);
  }
}

@Module({ controllers: [ShopController], providers: [{ provide: SETTINGS, useValue: {} }] }) // your settings
export class ShopModule {}
